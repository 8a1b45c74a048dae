// tests/python/bridge_test.h: what the tests share that run inside the interpreter.
#ifndef DLPACK_CTS_TESTS_PYTHON_BRIDGE_TEST_H_
#define DLPACK_CTS_TESTS_PYTHON_BRIDGE_TEST_H_

#include <gtest/gtest.h>

#include <string>

#include "engine/engine.h"
#include "harness/forge/forge.h"
#include "harness/ledger/ledger.h"
#include "harness/recipe/dtypes.h"
#include "harness/recipe/normalize.h"
#include "harness/recipe/recipe.h"
#include "subject/python_loader.h"

namespace dlpack_cts {

/// Opened before the first test; the interpreter runs for as long as the program does.
struct Opened {
  BridgeConfig config;
  Subject* subject = nullptr;
  std::string tests;  // folder of these tests
};
inline Opened g_opened;

class BridgeTest : public testing::Test {
 protected:
  /// Runs a recipe and returns its ledger.
  const Ledger& Run(Recipe recipe) {
    Normalize(recipe);
    engine_.Run(recipe, ledger_);
    return ledger_;
  }

  /// A 2x3 float32 matrix that is imported, described and read.
  static Recipe ImportMatrix() {
    Recipe recipe = MakeRecipe(RecipeKind::kImport);
    recipe.offer().dims = 2;
    recipe.offer().ndim = 2;
    recipe.offer().shape[0] = 2;
    recipe.offer().shape[1] = 3;
    recipe.offer().strides_kind = StridesKind::kCompact;
    AddStep(recipe, Op::kImport);
    AddStep(recipe, Op::kDescribe);
    AddStep(recipe, Op::kRead);
    return recipe;
  }

  /// A 2x3 float32 matrix that is made and exported.
  static Recipe ExportMatrix() {
    Recipe recipe = MakeRecipe(RecipeKind::kExport);
    recipe.request().dims = 2;
    recipe.request().shape[0] = 2;
    recipe.request().shape[1] = 3;
    recipe.call().max_version = Argument{ArgumentKind::kPair, {}, 1, 3};
    AddStep(recipe, Op::kMake);
    AddStep(recipe, Op::kExport);
    AddStep(recipe, Op::kReadExport);
    return recipe;
  }

 private:
  Engine engine_{*g_opened.subject};
  Ledger ledger_;
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_TESTS_PYTHON_BRIDGE_TEST_H_
