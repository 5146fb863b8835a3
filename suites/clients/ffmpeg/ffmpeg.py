#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Debian's FFmpeg on the fake driver: transfers bit for bit, and every CUDA filter it has against numpy."""
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import client as clients  # noqa: E402
from client import Wrong  # noqa: E402

WIDTH, HEIGHT, COUNT = 96, 54, 3


class Ffmpeg:
    """Runs one filter chain on raw frames and returns the frames that come out."""

    def __init__(self, client, frames_module):
        self.client = client
        self.frames = frames_module

    def __call__(self, inputs, chain, out_format, out_size, upload="hwupload_cuda"):
        """`inputs`: (pixel format, width, height, frames) each. `chain`: between upload and download."""
        folder = self.client.folder
        command = ["ffmpeg", "-nostdin", "-hide_banner", "-loglevel", "error", "-y",
                   "-init_hw_device", "cuda=cu:0", "-filter_hw_device", "cu"]
        for number, (pixel_format, width, height, frames) in enumerate(inputs):
            path = folder / f"in{number}.raw"
            path.write_bytes(self.frames.to_bytes(frames))
            command += ["-f", "rawvideo", "-pix_fmt", pixel_format, "-s", f"{width}x{height}", "-r", "10", "-i", path]
        uploads = "".join(f"[{n}]{upload}[u{n}];" for n in range(len(inputs)))
        labels = "".join(f"[u{n}]" for n in range(len(inputs)))
        steps = ",".join(chain + ["hwdownload", f"format={out_format}"])
        out = folder / "out.raw"
        out.unlink(missing_ok=True)
        command += ["-filter_complex", uploads + labels + steps, "-f", "rawvideo", "-vsync", "passthrough", out]
        run = self.client.run(command)
        self.client.healthy(run)
        return self.frames.from_bytes(out.read_bytes(), out_format, *out_size)


def compare(got, want, step=0):
    """Every sample equal, or at most `step` apart."""
    import numpy as np
    if len(got) != len(want):
        raise Wrong(f"{len(got)} frames, not {len(want)}")
    unequal = samples = 0
    for number, (have, must) in enumerate(zip(got, want)):
        for plane, (a, b) in enumerate(zip(have, must)):
            if a.shape != b.shape:
                raise Wrong(f"plane {plane} has shape {a.shape}, not {b.shape}")
            apart = np.abs(a.astype(np.int64) - b.astype(np.int64))
            samples += apart.size
            unequal += int((apart != 0).sum())
            if apart.max() > step:
                at = tuple(int(i) for i in np.unravel_index(apart.argmax(), apart.shape))
                raise Wrong(f"frame {number} plane {plane} at {at}: {a[at]}, not {b[at]}; "
                            f"{int((apart > step).sum())} of {apart.size} samples differ by more than {step}")
    return "right, bit for bit" if unequal == 0 else f"right; {unequal} of {samples} samples one step apart"


def transfers(client, ffmpeg, frames):
    for pixel_format in ("yuv420p", "nv12", "yuv444p", "p010le", "p016le", "yuv444p16le"):
        def body(pixel_format=pixel_format):
            # An odd height would lose the last line of chroma: this FFmpeg rounds it down when it copies.
            size = (WIDTH + 3, HEIGHT)
            made = frames.make(pixel_format, *size, COUNT, 1)
            return compare(ffmpeg([(pixel_format, *size, made)], [], pixel_format, size), made)
        client.case(f"hwupload_cuda, hwdownload: {pixel_format}", body)


def scaling(client, ffmpeg, frames, expected):
    def case(source, target, size, algorithm, parameter=None):
        def body():
            made = frames.make(source, WIDTH, HEIGHT, COUNT, 2)
            shapes = [shape for shape in frames.FORMATS["yuv444p" if "444" in target else "yuv420p"].shapes(*size)]
            want = []
            for planes in made:
                scaled = [expected.with_depth(expected.scaled(plane, rows, columns, algorithm, parameter), source, target)
                          for plane, (rows, columns, _) in zip(expected.split(planes), shapes)]
                want.append(expected.joined(scaled, target))
            option = f"scale_cuda={size[0]}:{size[1]}:format={target}:interp_algo={algorithm}"
            option += f":param={parameter}" if parameter is not None else ""
            # Coordinates may be fused multiply-adds; 8 bits are too coarse to show that where nothing is weighted.
            eight = source in ("yuv420p", "nv12", "yuv444p")
            if algorithm in ("nearest", "bilinear") and eight:
                step = 0
            else:
                # One step of the source's depth, as the target's depth shows it.
                step = 257 if eight and "16" in target else 64 if target == "p010le" else 1
            return compare(ffmpeg([(source, WIDTH, HEIGHT, made)], [option], target, size), want, step)
        more = "" if parameter is None else f" param={parameter}"
        client.case(f"scale_cuda: {source} to {target}, {size[0]}x{size[1]}, {algorithm}{more}", body)

    smaller, larger = (48, 28), (150, 80)
    for algorithm in ("nearest", "bilinear", "bicubic", "lanczos"):
        case("yuv420p", "yuv420p", smaller, algorithm)
        case("yuv420p", "yuv420p", larger, algorithm)
    case("yuv420p", "yuv420p", larger, "bicubic", 0.6)
    for source, target in (("nv12", "nv12"), ("yuv444p", "yuv444p"), ("p010le", "p010le"), ("p016le", "p016le"),
                           ("yuv444p16le", "yuv444p16le"), ("yuv420p", "nv12"), ("yuv420p", "yuv444p"),
                           ("yuv420p", "p016le"), ("p016le", "yuv420p")):
        case(source, target, larger, "bilinear")
        case(source, target, smaller, "bicubic")


def deinterlacing(client, ffmpeg, frames, expected):
    def fields(made, mode, parity):
        top_first = parity ^ 1 if parity in (0, 1) else 1
        for n, planes in enumerate(made):
            before, after = made[max(n - 1, 0)], made[min(n + 1, len(made) - 1)]
            for second in ((0, 1) if mode & 1 else (0,)):
                # Modes 2 and 3 should skip a check, but the filter passes 2 where the kernel tests the lowest bit.
                yield [expected.deinterlaced(b, c, a, top_first ^ 1 ^ second, top_first, skip_check=False)
                       for b, c, a in zip(before, planes, after)]

    for pixel_format, mode, parity in (("yuv420p", 0, -1), ("yuv420p", 1, 0), ("yuv420p", 2, 1), ("yuv420p", 3, -1),
                                       ("nv12", 1, -1), ("yuv444p", 0, -1), ("p010le", 0, -1), ("yuv444p16le", 1, 1)):
        def body(pixel_format=pixel_format, mode=mode, parity=parity):
            made = frames.make(pixel_format, WIDTH, HEIGHT, 4, 3)
            got = ffmpeg([(pixel_format, WIDTH, HEIGHT, made)], [f"yadif_cuda=mode={mode}:parity={parity}"],
                         pixel_format, (WIDTH, HEIGHT))
            return compare(got, list(fields(made, mode, parity)))
        client.case(f"yadif_cuda: {pixel_format}, mode {mode}, parity {parity}", body)


def overlays(client, ffmpeg, frames, expected):
    for main_format, over_format, x, y in (("yuv420p", "yuv420p", 8, 6), ("nv12", "nv12", 0, 0),
                                           ("yuv420p", "yuva420p", 20, 10), ("yuv420p", "yuv420p", 80, 20)):
        def body(main_format=main_format, over_format=over_format, x=x, y=y):
            width, height = 40, 24
            main = frames.make(main_format, WIDTH, HEIGHT, COUNT, 4)
            over = frames.make(over_format, width, height, COUNT, 5)
            want = []
            for below, above in zip(main, over):
                alpha = above[3] if over_format == "yuva420p" else None
                planes = []
                for number, (under, top) in enumerate(zip(expected.split(below), expected.split(above)[:3])):
                    half = 1 if number else 0
                    weights = alpha if alpha is None or not half else alpha[::2, ::2]
                    planes.append(expected.overlaid(under, top, x >> half, y >> half, weights))
                want.append(expected.joined(planes, main_format))
            got = ffmpeg([(main_format, WIDTH, HEIGHT, main), (over_format, width, height, over)],
                         [f"overlay_cuda=x={x}:y={y}"], main_format, (WIDTH, HEIGHT))
            return compare(got, want, 1 if over_format == "yuva420p" else 0)
        client.case(f"overlay_cuda: {over_format} on {main_format} at {x},{y}", body)


def thumbnails(client, ffmpeg, frames, expected):
    for pixel_format in ("yuv420p", "nv12", "yuv444p", "p010le"):
        def body(pixel_format=pixel_format):
            made = frames.make(pixel_format, WIDTH, HEIGHT, 6, 6)
            made[1] = [plane // 2 for plane in made[1]]
            want = [made[n + expected.most_typical(made[n:n + 3])] for n in (0, 3)]
            # With hwupload_cuda the device is freed before this filter, whose end then uses it: it crashes.
            got = ffmpeg([(pixel_format, WIDTH, HEIGHT, made)], ["thumbnail_cuda=n=3"], pixel_format, (WIDTH, HEIGHT),
                         upload="hwupload")
            return compare(got, want)
        client.case(f"thumbnail_cuda: {pixel_format}", body)


def keying(client, ffmpeg, frames, expected):
    for pixel_format, similarity, blend in (("yuv420p", 0.1, 0.3), ("nv12", 0.05, 0.5), ("yuv420p", 0.12, 0.0)):
        def body(pixel_format=pixel_format, similarity=similarity, blend=blend):
            made = frames.make(pixel_format, WIDTH, HEIGHT, COUNT, 7)
            want = []
            for planes in made:
                y, u, v = (expected.between_texels(plane) for plane in expected.split(planes))
                alpha = expected.key_alpha(u, v, (0x80, 0x70), similarity, blend)
                want.append([plane.astype("uint8") for plane in (y, u, v)]
                            + [alpha.repeat(2, axis=0).repeat(2, axis=1)[:, :, None]])
            option = f"chromakey_cuda=color=0x408070:yuv=1:similarity={similarity}:blend={blend}"
            got = ffmpeg([(pixel_format, WIDTH, HEIGHT, made)], [option], "yuva420p", (WIDTH, HEIGHT))
            return compare(got, want, 1)
        client.case(f"chromakey_cuda: {pixel_format}, similarity {similarity}, blend {blend}", body)


def filtered(source, frames, chain, target="null"):
    """FFmpeg's command for frames of its own through a chain of filters."""
    device = ["-init_hw_device", "cuda=cu", "-filter_hw_device", "cu"] if "hwupload" in chain else []
    return ["ffmpeg", "-nostdin", "-hide_banner", "-loglevel", "error", *device, "-f", "lavfi", "-i", source, "-frames:v", str(frames),
            "-vf", chain, "-f", target, "-"]


def cases(client):
    client.version = client.debian("ffmpeg")
    client.debian("python3-numpy")
    import expected
    import frames
    listed = subprocess.run(["ffmpeg", "-hide_banner", "-filters"], capture_output=True, text=True).stdout
    have = set(re.findall(r"\b(\w+_cuda)\b", listed))
    ffmpeg = Ffmpeg(client, frames)
    transfers(client, ffmpeg, frames)
    covered = {"scale_cuda": scaling, "yadif_cuda": deinterlacing, "overlay_cuda": overlays, "thumbnail_cuda": thumbnails,
               "chromakey_cuda": keying, "hwupload_cuda": None}
    for name, run in covered.items():
        if run is not None and name in have:
            run(client, ffmpeg, frames, expected)
    if client.options.long:
        # As found in the wild: the context is left to the end of the process.
        lost = {entry: {"leak.context"} for entry in ("cuCtxDestroy_v2", "cuCtxPushCurrent_v2", "cuDeviceGetAttribute", "cuMemAlloc_v2")}
        client.case("sweep: hwupload, hwdownload of two frames", lambda: client.sweep(
            filtered("testsrc2=s=96x54", 2, "format=yuv420p,hwupload,hwdownload,format=yuv420p", "framemd5"), lost, 60))
    client.cost("start: one frame of 16 x 16; with the fake, uploaded and downloaded",
                filtered("testsrc2=s=16x16", 1, "format=yuv420p"), filtered("testsrc2=s=16x16", 1, "format=yuv420p,hwupload,hwdownload"))
    client.cost("work: 10 frames of 320 x 180 scaled to half by scale; with the fake, by scale_cuda",
                filtered("testsrc2=s=320x180", 10, "format=yuv420p,scale=160:90"),
                filtered("testsrc2=s=320x180", 10, "format=yuv420p,hwupload,scale_cuda=160:90,hwdownload"))
    for name in sorted(have - set(covered)):
        print(f"ffmpeg: {name} is in this FFmpeg and has no case")


if __name__ == "__main__":
    clients.main("ffmpeg", cases)
