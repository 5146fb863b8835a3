#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""GStreamer's nvcodec plugin (Debian) on the fake driver: its elements that need no codec hardware.

The plugin offers them only where a libnvcuvid.so.1 can be loaded (no_codec.c stands for one), and compiles the kernels of the converters
with an NVRTC that still knows compute_30 or compute_52 (newer_architecture.c stands for one, in front of the toolkit's).
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import client as clients  # noqa: E402
from client import Wrong  # noqa: E402

ELEMENTS = {"cudaconvert", "cudaconvertscale", "cudadownload", "cudascale", "cudaupload"}
ON_DEVICE = "video/x-raw(memory:CUDAMemory)"
WIDTH, HEIGHT = 160, 90


def stand_ins(client, toolkit):
    """A folder with the two libraries that the plugin looks for."""
    folder = client.folder / "lib"
    folder.mkdir(exist_ok=True)
    for source, library, options in (("no_codec.c", "libnvcuvid.so.1", []),
                                     ("newer_architecture.c", "libnvrtc.so", [f'-DREAL_NVRTC="{toolkit}/lib64/libnvrtc.so"', "-ldl"])):
        client.compile(["cc", "-shared", "-fPIC", "-O1", HERE / source, "-o", folder / library, *options])
    return folder


class Plugin:
    """Pipelines of one picture, on the device or without it."""

    def __init__(self, client, libraries):
        self.client = client
        # The registry remembers which elements a plugin offered; it must not be one of another driver.
        registry = client.folder / "registry.bin"
        registry.unlink(missing_ok=True)
        self.environment = {"GST_REGISTRY": str(registry), "GST_REGISTRY_FORK": "no", "LD_LIBRARY_PATH": str(libraries)}

    def run(self, command):
        return self.client.run(command, environment=self.environment)

    def picture(self, text, name):
        """What a pipeline leaves in a file, as bytes of a numpy array."""
        import numpy
        out = self.client.folder / name
        out.unlink(missing_ok=True)
        run = self.run(["gst-launch-1.0", "-q", *text.split(), "!", "filesink", f"location={out}"])
        if run.findings("error") or run.not_modelled() or not out.exists():
            raise Wrong(f"{run.findings('error')[:1]} {run.stderr[-400:]}")
        return numpy.fromfile(out, numpy.uint8), run.calls()

    def source(self, kind, pattern):
        return f"videotestsrc num-buffers=1 pattern={pattern} ! video/x-raw,format={kind},width={WIDTH},height={HEIGHT}"

    def plain(self, kind, pattern="smpte"):
        return self.picture(self.source(kind, pattern), "in.raw")[0]

    def through(self, element, kind, to, width=WIDTH, height=HEIGHT, pattern="smpte"):
        """The picture after upload, the element, if any, and download."""
        middle = f"! {element} ! {ON_DEVICE},format={to},width={width},height={height}" if element else ""
        made, calls = self.picture(f"{self.source(kind, pattern)} ! cudaupload ! {ON_DEVICE} {middle} ! cudadownload ! video/x-raw",
                                   "out.raw")
        if calls < 20:
            raise Wrong("nothing went through the device")
        return made


def compare(made, wanted, tolerance=0):
    """The row's text. `wanted` may be fractions of a step."""
    import numpy
    if made.size != wanted.size:
        raise Wrong(f"{made.size} samples instead of {wanted.size}")
    off = numpy.abs(made.astype(float) - wanted.ravel())
    if off.max() > tolerance:
        raise Wrong(f"{(off > tolerance).sum()} of {made.size} samples differ, by up to {off.max():g}")
    return "right, bit for bit" if off.max() == 0 else f"right; differs from the exact value by at most {off.max():.2g}"


def split(nv12):
    """Luma, and the two chroma planes, of an NV12 picture."""
    luma = nv12[:WIDTH * HEIGHT].reshape(HEIGHT, WIDTH)
    chroma = nv12[WIDTH * HEIGHT:].reshape(HEIGHT // 2, WIDTH // 2, 2)
    return luma, chroma[..., 0], chroma[..., 1]


def planar(nv12):
    import numpy
    return numpy.concatenate([plane.ravel() for plane in split(nv12)])


def red_green_blue(nv12):
    """BT.601, limited range, each chroma sample for its 2 x 2 pixels; opaque."""
    import numpy
    luma, *chroma = split(nv12)
    y = (luma.astype(float) - 16) * 255 / 219
    u, v = ((plane.repeat(2, 0).repeat(2, 1).astype(float) - 128) * 255 / 224 for plane in chroma)
    kr, kb = 0.299, 0.114
    kg = 1 - kr - kb
    colours = [y + 2 * (1 - kr) * v, y - 2 * (1 - kb) * kb / kg * u - 2 * (1 - kr) * kr / kg * v, y + 2 * (1 - kb) * u]
    return numpy.stack([numpy.clip(colour, 0, 255) for colour in colours] + [numpy.full_like(y, 255)], -1)


def halved(rgba):
    """The mean of each 2 x 2 pixels, which is what linear filtering gives half-way between them."""
    picture = rgba.reshape(HEIGHT, WIDTH, 4).astype(float)
    return (picture[0::2, 0::2] + picture[1::2, 0::2] + picture[0::2, 1::2] + picture[1::2, 1::2]) / 4


def cases(client):
    client.version = client.debian("gstreamer1.0-plugins-bad")
    for package in ("gstreamer1.0-plugins-base", "gstreamer1.0-tools", "python3-numpy"):
        client.debian(package)
    plugin = Plugin(client, stand_ins(client, client.toolkit("lib64/libnvrtc.so")))

    def offered():
        run = plugin.run(["gst-inspect-1.0", "nvcodec"])
        client.healthy(run)
        found = {line.split(":")[0].strip() for line in run.stdout.decode().splitlines() if line.startswith("  cuda")}
        if found != ELEMENTS:
            raise Wrong(f"offers {sorted(found)}")
        return "right: offers " + ", ".join(sorted(found))
    client.case("the plugin's elements", offered)
    for kind in ("NV12", "I420", "P010_10LE", "RGBA", "Y444"):
        client.case(f"cudaupload, cudadownload: {kind}",
                    lambda kind=kind: compare(plugin.through("", kind, kind, pattern="gamut"), plugin.plain(kind, "gamut")))
    client.case("cudaconvert: NV12 to I420", lambda: compare(plugin.through("cudaconvert", "NV12", "I420"), planar(plugin.plain("NV12"))))
    client.case("cudaconvert: RGBA to BGRA", lambda: compare(
        plugin.through("cudaconvert", "RGBA", "BGRA"), plugin.plain("RGBA").reshape(-1, 4)[:, [2, 1, 0, 3]]))
    client.case("cudaconvert: NV12 to RGBA", lambda: compare(
        plugin.through("cudaconvert", "NV12", "RGBA"), red_green_blue(plugin.plain("NV12")), 1))
    client.case("cudascale: RGBA, half the size", lambda: compare(
        plugin.through("cudascale", "RGBA", "RGBA", WIDTH // 2, HEIGHT // 2, "gradient"), halved(plugin.plain("RGBA", "gradient")), 1))
    client.case("cudaconvertscale: RGBA to BGRA, half the size", lambda: compare(
        plugin.through("cudaconvertscale", "RGBA", "BGRA", WIDTH // 2, HEIGHT // 2, "gradient"),
        halved(plugin.plain("RGBA", "gradient"))[..., [2, 1, 0, 3]], 1))
    def pipeline(frames, size, elements):
        text = f"videotestsrc num-buffers={frames} ! video/x-raw,format=RGBA,width={size[0]},height={size[1]} {elements} ! fakesink"
        return ["gst-launch-1.0", "-q", *text.split()]
    client.cost("start: one frame of 16 x 16; with the fake, uploaded and downloaded", pipeline(1, (16, 16), ""),
                pipeline(1, (16, 16), f"! cudaupload ! {ON_DEVICE} ! cudadownload ! video/x-raw"), plugin.environment)
    half = "video/x-raw,width=160,height=90"
    client.cost("work: 10 frames of 320 x 180 scaled to half by videoscale; with the fake, by cudascale",
                pipeline(10, (320, 180), f"! videoscale ! {half}"),
                pipeline(10, (320, 180), f"! cudaupload ! cudascale ! {ON_DEVICE},width=160,height=90 ! cudadownload ! video/x-raw"),
                plugin.environment)


if __name__ == "__main__":
    clients.main("gstreamer", cases)
