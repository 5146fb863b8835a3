# SPDX-License-Identifier: Apache-2.0
"""Builds a mutant as a port and certifies it until the first finding.

One source is compiled and linked in front of the archives that the correct port is made of, whose own object of that
source is then not taken. The port has few of the reference's extractors, those that can show what the source does, so that a life
cycle has few calls and the suites that use every extractor alone few life cycles; the suites are what they are.
"""
import dataclasses
import json
import pathlib
import re
import shlex
import subprocess

import sites

# What a mutant is certified with, by its source: for what owns extractors, one that a threaded session keeps for each
# worker and one that it keeps in a pool, both its own in a serial one; for what only some extractors have, one of those.
EXTRACTORS = (
    (("session_close", "context_pool", "worker_extractors", "extractor_vector", "extractor_context"),
     ("psnr", "float_moment")),
    (("cuda_extractor", "buffer_set"), ("motion_v2",)),
    (("table_upload",), ("psnr_hvs",)),
)
ONE = ("psnr",)
# What a teardown can break. First the suites that most mutants fall to, so that few need the others.
SUITES = {
    "ReferencePort": ("state_free", "partial_init_rollback", "retryable_close", "public_close", "owner_vector_close",
                      "ring_pool_retry", "ring_pool_mixed_success", "context_pool_close", "worker_private_close",
                      "first_error_preservation", "preallocation_cycles", "stream_quiescence"),
    "CallersPort": ("callers",),
    "BufferRecipePort": ("buffer_recipe",),
    "PrimaryContextPort": ("primary_context_binding",),
}
# The suite on contexts, by far the largest, only for the sources that push and pop them: every other one looks at the
# caller's contexts after every call as well.
CONTEXT_SUITE = "foreign_context_restoration"
CONTEXT_SOURCES = "reference_impl/resource/context"
PROFILE = "r580"
# What the suites let pass, of what every extractor uses, is put to the orders of one worker's threads as well, where each
# driver call fails in turn: there a queued job begins again with what the job before it left.
ORDERS = "interleavings"  # as the suite with the finding
ORDERED = ("psnr",)  # which each worker has of its own
_COMPILER = re.compile(r"(^|/)(c|g|clang)\+\+[-\d.]*$")
_OPTIMISED = re.compile(r"^-(O.|g\d?)$")
_PORT = """// What a mutant's library exports.
#include <cstring>
#include "reference_impl/port/ports.h"

const char* const culprit::reference::kPortName = "teardown mutant";
const char* const culprit::reference::kPortVersion = "1";

extern "C" __attribute__((visibility("default"))) const culprit_port* culprit_port_entry(void) {
  static culprit_port port = culprit::reference::%(port)s();
  static culprit_extractor_info kept[8];
  const char* const names[] = {%(names)s nullptr};
  if (names[0] == nullptr) return &port;
  uint32_t count = 0;
  for (const char* const* name = names; *name != nullptr; ++name) {
    for (uint32_t i = 0; i < port.extractor_count; ++i) {
      if (std::strcmp(port.extractors[i].name, *name) == 0) kept[count++] = port.extractors[i];
    }
  }
  port.extractors = kept;
  port.extractor_count = count;
  return &port;
}
"""


@dataclasses.dataclass(frozen=True)
class Outcome:
    fate: str  # "killed", "survived", "not compiled" or "not run"
    suite: str = ""
    finding: str = ""


def suites_for(port, file):
    """What a mutant of this source is put to."""
    if port == "ReferencePort" and file.startswith(CONTEXT_SOURCES):
        return (CONTEXT_SUITE, *SUITES[port])
    return SUITES[port]


def has_orders(mutant):
    """Not the sources of one extractor alone."""
    return mutant.port == "ReferencePort" and not re.match(r"reference_impl/extractor/.*/", mutant.file)


class Workshop:
    """Everything lies below `folder`; the build tree is only read."""

    def __init__(self, root, build, folder, culprit, archives):
        self.root = pathlib.Path(root).resolve()
        self.folder = pathlib.Path(folder).resolve()
        self.culprit = culprit
        self.archives = archives
        # The subject that imports memory starts this program, which it looks for in the folders above its library.
        publisher = self.folder / "culprit-buffer-publisher"
        if not publisher.exists():
            publisher.symlink_to((pathlib.Path(build) / "lib/culprit/ports/culprit-buffer-publisher").resolve())
        commands = json.loads((pathlib.Path(build) / "compile_commands.json").read_text())
        self._commands = {str(pathlib.Path(entry["directory"], entry["file"])): entry for entry in commands}
        self._entries = {}

    def _compile(self, original, source, made):
        """Compiles `source` as the build compiles `original`, but quickly."""
        entry = self._commands[str(self.root / original)]
        words = shlex.split(entry["command"])
        first = next(i for i, word in enumerate(words) if _COMPILER.search(word))
        end = words.index("-o")
        flags = [word for word in words[first:end] if not _OPTIMISED.match(word)]
        command = [*flags, "-O1", "-g0", "-w", "-o", str(made), "-c", str(source)]
        return command[0], subprocess.run(command, cwd=entry["directory"], capture_output=True, text=True)

    def extractors_of(self, file):
        """Names of the extractors that a mutant of this source is certified with."""
        if file.startswith("reference_impl/extractor/") and (self.root / file).parent.name != "extractor":
            registry = (self.root / "reference_impl/extractor/registry.cc").read_text()
            made = re.findall(r'\{"(\w+)",\s*Backend.*?&Make<(\w+)>', registry, re.S)
            header = (self.root / file).with_suffix(".h").read_text()
            return tuple(name for name, kind in made if re.search(rf"class {kind}\b", header))
        stem = pathlib.Path(file).stem
        return next((names for stems, names in EXTRACTORS if stem in stems), ONE)

    def entry(self, port, names):
        """The object that exports the port; made once for each choice of extractors. Not for several threads at once."""
        key = (port, names)
        if key not in self._entries:
            source = self.folder / f"entry_{len(self._entries)}.cc"
            source.write_text(_PORT % {"port": port, "names": "".join(f'"{name}", ' for name in names)})
            compiler, done = self._compile("reference_impl/port/reference_port.cc", source, source.with_suffix(".o"))
            if done.returncode != 0:
                raise RuntimeError(done.stderr)
            self._entries[key] = (compiler, source.with_suffix(".o"))
        return self._entries[key]

    def names_for(self, mutant):
        return self.extractors_of(mutant.file) if mutant.port == "ReferencePort" else ()

    def build(self, mutant, name, entry):
        """The mutant's library, or None where the compiler refuses it."""
        folder = self.folder / name
        folder.mkdir(parents=True, exist_ok=True)
        source = folder / pathlib.Path(mutant.file).name
        source.write_text(sites.apply((self.root / mutant.file).read_text(), mutant.changes))
        _, compiled = self._compile(mutant.file, source, folder / "mutant.o")
        if compiled.returncode != 0:
            return None
        return self.link(folder / "libmutant.so", entry, [folder / "mutant.o"])

    def link(self, library, entry, objects):
        compiler, exported = entry
        script = self.root / "reference_impl/port/exports.map"
        command = [compiler, "-shared", "-o", library, exported, *objects, "-Wl,--start-group", *self.archives,
                   "-Wl,--end-group", "-lpthread", "-ldl", "-Wl,-z,defs", f"-Wl,--version-script={script}"]
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{library} cannot be linked: {done.stderr}")
        return library

    def certify(self, library, port, file):
        """What the first finding was, or that there was none. `file` is the mutated source."""
        report = library.parent / "report"
        command = [self.culprit, "certify", library, "--report", report, "--jobs", "1", "--minimize", "0",
                   "--stop-at", "any", "--profile", PROFILE]
        for suite in suites_for(port, file):
            command += ["--suite", suite]
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
        if done.returncode == 0:
            return Outcome("survived")
        if done.returncode not in (1, 3):
            raise RuntimeError(f"{library}: exit code {done.returncode}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
        certificate = report / "certificate.json"
        if not certificate.exists():
            raise RuntimeError(f"{library}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
        failures = json.loads(certificate.read_text())["failures"]
        for failure in failures:
            for finding in failure["findings"]:
                if finding["severity"] == "error":
                    return Outcome("killed", failure["suite"], finding["id"])
        raise RuntimeError(f"{library}: not certified, and no failure says why: {done.stdout[-2000:]}")

    def take_turns(self, folder, objects):
        """The same for a port of one extractor that a worker has of its own, made of these objects and the correct ones."""
        library = self.link(folder / "libordered.so", self._entries["ReferencePort", ORDERED], objects)
        command = [pathlib.Path(self.culprit).with_name("culprit-interleave"), library, "--threads", "1", "--frames", "3",
                   "--preemptions", "0", "--faults", "--profile", PROFILE, "--json"]
        for name in ORDERED:
            command += ["--extractor", name]
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
        if done.returncode not in (0, 1):
            raise RuntimeError(f"{library}: exit code {done.returncode}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
        told = json.loads(done.stdout)
        failed = told.get("failed")
        if failed is None:
            if not told["exhausted"]:
                raise RuntimeError(f"{library}: not all orders were run")
            return Outcome("survived")
        return Outcome("killed", ORDERS, next(f["id"] for f in failed["findings"] if f["severity"] == "error"))
