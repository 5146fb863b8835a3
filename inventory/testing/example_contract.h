// SPDX-License-Identifier: Apache-2.0
// A contract that switches every rule on, for fuzzing and measuring.
#ifndef CULPRIT_INVENTORY_TESTING_EXAMPLE_CONTRACT_H_
#define CULPRIT_INVENTORY_TESTING_EXAMPLE_CONTRACT_H_

namespace culprit::inventory {

inline constexpr char kExampleContract[] = R"(
version = 1
[[helper]]
name = "module_unload"
releases = ["cuModuleUnload"]
[[helper]]
name = "Owner::Close"
[[loader]]
name = "load"
[context]
push = ["enter"]
pop = ["leave"]
[results]
checked = ["Prepare"]
true_on_success = ["Note"]
[lifecycle]
init = ["init*"]
close = ["close*"]
[owners]
[[owners.type]]
name = "Module"
close = "Close"
[[owner]]
file = "a.c"
fields = ["module"]
[callbacks]
type = "FeatureExtractor"
required = ["init", "close"]
[[order]]
function = "init*"
before = "names"
after = "@driver"
[[forbidden]]
name = "free_now"
replacement = "module_unload"
reason = "legacy"
[conditions]
undefined = ["OLD"]
)";

}  // namespace culprit::inventory

#endif  // CULPRIT_INVENTORY_TESTING_EXAMPLE_CONTRACT_H_
