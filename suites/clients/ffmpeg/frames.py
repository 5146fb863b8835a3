# SPDX-License-Identifier: Apache-2.0
"""Raw video frames as numpy planes, and seeded content with edges, gradients and noise."""
import dataclasses

import numpy as np


@dataclasses.dataclass(frozen=True)
class Format:
    """A pixel format of FFmpeg: its planes as (horizontal shift, vertical shift, channels), and the sample's type."""

    name: str
    planes: tuple
    sample: type

    def shapes(self, width, height):
        """Of every plane, as (rows, columns, channels); an odd size rounds up."""
        return [(-(-height >> down), -(-width >> across), channels) for across, down, channels in self.planes]


FORMATS = {
    "yuv420p": Format("yuv420p", ((0, 0, 1), (1, 1, 1), (1, 1, 1)), np.uint8),
    "yuv444p": Format("yuv444p", ((0, 0, 1),) * 3, np.uint8),
    "nv12": Format("nv12", ((0, 0, 1), (1, 1, 2)), np.uint8),
    "p010le": Format("p010le", ((0, 0, 1), (1, 1, 2)), np.uint16),
    "p016le": Format("p016le", ((0, 0, 1), (1, 1, 2)), np.uint16),
    "yuv444p16le": Format("yuv444p16le", ((0, 0, 1),) * 3, np.uint16),
    "yuva420p": Format("yuva420p", ((0, 0, 1), (1, 1, 1), (1, 1, 1), (0, 0, 1)), np.uint8),
}


def make(pixel_format, width, height, count, seed):
    """`count` frames: a list of frames, each a list of planes of shape (rows, columns, channels)."""
    random = np.random.default_rng(seed)
    kind = FORMATS[pixel_format]
    largest = np.iinfo(kind.sample).max
    frames = []
    for number in range(count):
        planes = []
        for rows, columns, channels in kind.shapes(width, height):
            y, x, c = np.mgrid[0:rows, 0:columns, 0:channels]
            gradient = (x * 5 + y * 3 + c * 40 + number * 11) / 700.0
            stripes = ((x + number * 2) // 6 + y // 4) % 2 * 0.3
            noise = random.random((rows, columns, channels)) * 0.25
            # Filters that overshoot stay within the range.
            level = 0.2 + 0.55 * np.clip(gradient % 0.6 + stripes + noise, 0, 1)
            samples = (level * largest).astype(kind.sample)
            if pixel_format == "p010le":
                samples &= 0xFFC0
            planes.append(samples)
        frames.append(planes)
    return frames


def to_bytes(frames):
    return b"".join(plane.tobytes() for planes in frames for plane in planes)


def from_bytes(data, pixel_format, width, height):
    kind = FORMATS[pixel_format]
    shapes = kind.shapes(width, height)
    size = sum(int(np.prod(shape)) for shape in shapes)
    samples = np.frombuffer(data, dtype=kind.sample)
    frames = []
    for start in range(0, len(samples) - size + 1, size):
        planes, at = [], start
        for shape in shapes:
            length = int(np.prod(shape))
            planes.append(samples[at:at + length].reshape(shape))
            at += length
        frames.append(planes)
    return frames
