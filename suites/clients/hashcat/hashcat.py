#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Debian's hashcat on the fake driver: its self-test, and short passwords found again.

hashcat compiles its kernels with the toolkit's NVRTC when it starts. Its work grows with the device, so it runs on a small
one. A hash is cracked when the password is printed; the self-test of hashcat runs before.
"""
import hashlib
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import client as clients  # noqa: E402
from client import Wrong  # noqa: E402


def crack(client, toolkit, mode, digest, password, mask, options=()):
    def body():
        with tempfile.TemporaryDirectory() as home:
            command = ["hashcat", "-m", str(mode), "-a", "3", "-d", "1", "--potfile-disable", "--force", "--quiet",
                       "--outfile-format", "1,2", "-n", "1", "-u", "1", "-T", "64", *options, digest, mask]
            run = client.run(command, timeout=900, environment={"HOME": home, "LD_LIBRARY_PATH": str(toolkit / "lib64")},
                             settings={"devices": str(HERE / "small_device.json")}, cwd=home)
        client.healthy(run)
        if f"{digest}:{password}" not in run.stdout.decode(errors="replace"):
            raise Wrong(f"did not print the password: {run.stdout[-300:]!r} {run.stderr[-300:]}")
        return f"right: {password} found"
    return body


def cases(client):
    client.version = client.debian("hashcat")
    toolkit = client.toolkit("lib64/libnvrtc.so")
    client.cost("start: --version; with the fake, a list of devices", ["hashcat", "--version"], ["hashcat", "-I"],
                {"LD_LIBRARY_PATH": str(toolkit / "lib64")})
    client.case("mode 0 (MD5), optimised kernel, mask of 3 letters",
                crack(client, toolkit, 0, hashlib.md5(b"abc").hexdigest(), "abc", "?l?l?l", ["-O"]))
    if client.options.long:
        client.case("mode 100 (SHA-1), mask of 2 letters and a digit",
                    crack(client, toolkit, 100, hashlib.sha1(b"gp7").hexdigest(), "gp7", "?l?l?d"))
        client.case("mode 1400 (SHA-256), mask of 2 digits",
                    crack(client, toolkit, 1400, hashlib.sha256(b"42").hexdigest(), "42", "?d?d"))


if __name__ == "__main__":
    clients.main("hashcat", cases)
