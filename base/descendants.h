// base/descendants.h: ends the processes that a library left behind, even if they have left their process group.
#ifndef DLPACK_CTS_BASE_DESCENDANTS_H_
#define DLPACK_CTS_BASE_DESCENDANTS_H_

#include <sys/types.h>

#include <vector>

namespace dlpack_cts {

/// From now on this process is the parent of every descendant whose own parent has ended.
void AdoptDescendants();

/// The children of this process, with those that it has adopted.
std::vector<pid_t> Children();

/// Removes children that have ended, except `kept`: adopted ones stay in the table of processes until then.
void ReapChildren(const std::vector<pid_t>& kept);

/// Kills all children but `kept`, then their children, which it adopts, and so on until none is left. Gives up after a
/// second: a process can have other privileges.
void EndChildren(const std::vector<pid_t>& kept);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_BASE_DESCENDANTS_H_
