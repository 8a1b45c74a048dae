# harness/reproducer/prelude/forks.py: the steps that call deleters in a fork of the process, or after its interpreter has ended.
class Life:
    def delete_finalised(self, slot):
        """Calls the deleter of the consumed tensor in a fork of this process, after the interpreter has ended."""
        if self.usable(slot) and self.exports[slot].taken:
            fact = "export%d.survives_end" % slot
            self.run_in_fork(fact, self.exports[slot].delete_at_exit)
            if fact not in self.facts:  #? export.survives_end
                # A fork has no other threads, and finalisation may wait for them. The parent prints the result.
                STATE[0] = 4
                self.exports[slot].delete_at_exit()

    def delete_forked(self, slot, at_exit=False):
        """Calls the deleter of the consumed tensor in a forked child, directly or in an exit handler."""
        if self.usable(slot) and self.exports[slot].taken:
            def delete():
                STATE[BEGUN] = 1
                self.exports[slot].call_deleter()
                STATE[RETURNED] = 1
                os._exit(0)

            def work():
                atexit.register(delete)
                atexit._run_exitfuncs() if at_exit else delete()
            fact = "export%d.survives_exit" if at_exit else "export%d.survives_fork"
            self.run_in_fork(fact % slot, work, at_exit)

    def run_in_fork(self, fact, work, waits_count=False):
        """Runs work in a fork of this process. It marks the beginning and the return of the deleter in shared memory."""
        STATE[BEGUN:] = bytes(len(STATE) - BEGUN)
        sys.stdout.flush()  # otherwise the fork prints it again
        copy = os.fork()
        if copy == 0:
            work()
            os._exit(0)
        patience = time.monotonic() + 2
        ended = False
        while not ended and time.monotonic() < patience:
            ended = os.waitpid(copy, os.WNOHANG)[0] != 0
            time.sleep(0.01)
        if not ended:
            os.kill(copy, signal.SIGKILL)
            os.waitpid(copy, 0)
        if any(STATE[RETURNED:]) or (any(STATE[BEGUN:]) and (ended or waits_count)):
            self.facts[fact] = "yes" if any(STATE[RETURNED:]) else "no"
