// SPDX-License-Identifier: Apache-2.0
//
// Standard input, output and error as whoever started the command left them: perhaps closed,
// perhaps with no room.
#ifndef TOOLS_CULPRIT_STANDARD_STREAMS_H_
#define TOOLS_CULPRIT_STANDARD_STREAMS_H_

namespace culprit::tools {

// Puts something in the place of those that are closed, so that no file that is opened later is
// taken for one of them. What is written to a closed standard output is still an error.
void OpenStandardStreams() noexcept;

// "culprit: what", on standard error if that can be written.
void Complain(const char* what) noexcept;

// Writes what standard output still holds. `code`, or kCannotRun and a complaint when some of it
// could not be written.
int WithOutputWritten(int code) noexcept;

}  // namespace culprit::tools

#endif  // TOOLS_CULPRIT_STANDARD_STREAMS_H_
