// SPDX-License-Identifier: Apache-2.0
#ifndef INPUT_TEXT_FILE_H_
#define INPUT_TEXT_FILE_H_

#include <cstddef>
#include <string>

namespace culprit {

// No file of ours comes near this; a device without an end does.
inline constexpr size_t kLargestTextFile = size_t{1} << 30;

// Everything in the file. A pipe is read to its end. Throws InputError, also for a folder and for
// more than `most` bytes.
std::string ReadTextFile(const std::string& path, size_t most = kLargestTextFile);

// Throws InputError when the file could not be written, before much work is done for it. A file
// that is not there yet is made; one that is keeps what it has.
void DemandWritable(const std::string& path);

}  // namespace culprit

#endif  // INPUT_TEXT_FILE_H_
