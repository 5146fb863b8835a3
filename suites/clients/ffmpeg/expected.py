# SPDX-License-Identifier: Apache-2.0
"""What FFmpeg's CUDA filters compute, computed again with numpy on the host.

Frames are lists of planes of shape (rows, columns, channels). Arithmetic is float32 where the filter's is; where a result can
differ in its last bit (fused multiply-add, approximate sine), the caller allows a difference of one step.
"""
import numpy as np

ONE = np.float32(1)


def _clamped(plane, rows, columns):
    """Texels at whole coordinates: outside the plane the border's value is read."""
    rows = np.clip(rows, 0, plane.shape[0] - 1)
    columns = np.clip(columns, 0, plane.shape[1] - 1)
    return plane[rows][:, columns]


def _axis(positions):
    """Lower texel and weight of the upper one; weights have 8 bits."""
    shifted = positions.astype(np.float32) - np.float32(0.5)
    whole = np.floor(shifted)
    return whole.astype(int), np.floor((shifted - whole) * 256 + 0.5) / 256


def blended(plane, rows, columns):
    """The texture unit's linear filter at (rows x columns), in steps of 1/65535: rounded to 16 bits, half upwards."""
    (y, y_weight), (x, x_weight) = _axis(rows), _axis(columns)
    total = np.zeros((len(rows), len(columns), plane.shape[2]))
    for dy, across in ((0, 1 - y_weight), (1, y_weight)):
        for dx, along in ((0, 1 - x_weight), (1, x_weight)):
            total += across[:, None, None] * along[None, :, None] * _clamped(plane, y + dy, x + dx)
    return np.floor(total * (65535 / np.iinfo(plane.dtype).max) + 0.5)


def blended_integers(plane, rows, columns):
    """The same, read as integers of the plane's size."""
    return np.floor(blended(plane, rows, columns) * (np.iinfo(plane.dtype).max / 65535) + 0.5).astype(np.int64)


# ---- scale_cuda ---------------------------------------------------------------------------------------------------------

def _centres(out_size, in_size):
    scale = np.float32(in_size) / np.float32(out_size)
    return (np.arange(out_size, dtype=np.float32) + np.float32(0.5)) * scale, scale


def _nearest(plane, rows, columns):
    y, _ = _centres(rows, plane.shape[0])
    x, _ = _centres(columns, plane.shape[1])
    return _clamped(plane, np.floor(y).astype(int), np.floor(x).astype(int))


def _bilinear(plane, rows, columns):
    """Four blended taps a little off the centre, averaged."""
    taps = []
    for out_size, in_size in ((rows, plane.shape[0]), (columns, plane.shape[1])):
        centre, scale = _centres(out_size, in_size)
        weight = np.clip(np.float32(0.5) * (scale - ONE), 0, 1).astype(np.float32)
        off = weight / (np.float32(0.5) + weight)
        taps.append((centre - off, centre + off))
    total = np.full((rows, columns, plane.shape[2]), 2, np.int64)
    for y in taps[0]:
        for x in taps[1]:
            total += blended_integers(plane, y, x)
    return (total >> 2).astype(plane.dtype)


def _cubic_weights(x, a):
    first = ((a * (x + 1) - 5 * a) * (x + 1) + 8 * a) * (x + 1) - 4 * a
    second = ((a + 2) * x - (a + 3)) * x * x + 1
    third = ((a + 2) * (1 - x) - (a + 3)) * (1 - x) * (1 - x) + 1
    return np.stack([first, second, third, 1 - first - second - third]).astype(np.float32)


def _lanczos_weights(x, _):
    angle = np.float32(np.pi) * np.stack([x + 1, x, x - 1, x - 2]).astype(np.float32)
    with np.errstate(invalid="ignore", divide="ignore"):
        weights = np.sin(angle) * np.sin(angle / 2) / (angle * angle / 2)
    weights[angle == 0] = 1
    return (weights / weights.sum(axis=0)).astype(np.float32)


def _four_taps(plane, rows, columns, weights_of, a):
    axes = []
    for out_size, in_size in ((rows, plane.shape[0]), (columns, plane.shape[1])):
        position = _centres(out_size, in_size)[0] - np.float32(0.5)
        whole = np.floor(position)
        axes.append((whole.astype(int), weights_of((position - whole).astype(np.float32), np.float32(a))))
    (y, y_weights), (x, x_weights) = axes
    largest = np.float32(np.iinfo(plane.dtype).max)
    total = np.zeros((rows, columns, plane.shape[2]), np.float32)
    for i in range(4):
        row = np.zeros_like(total)
        for j in range(4):
            row += x_weights[j][None, :, None] * (_clamped(plane, y + i - 1, x + j - 1).astype(np.float32) / largest)
        total += y_weights[i][:, None, None] * row
    return (total * largest).astype(plane.dtype)


def scaled(plane, rows, columns, algorithm, parameter=None):
    """One plane scaled by `algorithm` of scale_cuda's interp_algo; `parameter` is its param."""
    if algorithm == "nearest":
        return _nearest(plane, rows, columns)
    if algorithm == "bilinear":
        return _bilinear(plane, rows, columns)
    weights = _lanczos_weights if algorithm == "lanczos" else _cubic_weights
    return _four_taps(plane, rows, columns, weights, 0 if parameter is None else -parameter)


def split(planes):
    """Y, U, V as single-channel planes, whatever the layout."""
    if len(planes) == 2:
        return [planes[0], planes[1][:, :, :1], planes[1][:, :, 1:]]
    return planes


def joined(planes, pixel_format):
    """Y, U, V in the layout of `pixel_format`."""
    if pixel_format in ("nv12", "p010le", "p016le"):
        return [planes[0], np.concatenate(planes[1:], axis=2)]
    return planes


def with_depth(plane, source, target):
    """Samples of format `source` as `target` has them."""
    def bits(name):
        return {"p010le": 10, "p016le": 16, "yuv444p16le": 16}.get(name, 8)
    have, want = bits(source), bits(target)
    if have == want:
        return plane
    if want == 8:
        return (plane >> 8).astype(np.uint8)
    wide = plane.astype(np.uint16)
    if have == 8:
        wide = wide | (wide << 8)
    elif have == 10:
        wide = wide | (wide >> 10)
    return wide & 0xFFC0 if want == 10 else wide


# ---- yadif_cuda ---------------------------------------------------------------------------------------------------------

def _spatial(above, below):
    """Edge-directed guess from the lines above and below: arrays by offset -3..3."""
    def score(shift):
        return sum(np.abs(above[shift + k] - below[-shift + k]) for k in (-1, 0, 1))

    guess = (above[0] + below[0]) // 2
    best = score(0)
    for direction in (-1, 1):
        near, far = score(direction), score(2 * direction)
        better = near < best
        much_better = better & (far < near)
        guess = np.where(better, (above[direction] + below[-direction]) // 2, guess)
        guess = np.where(much_better, (above[2 * direction] + below[-2 * direction]) // 2, guess)
        best = np.where(better, near, best)
        best = np.where(much_better, far, best)
    return guess


def _half(value):
    """Division by two as C does it: towards zero."""
    return np.where(value < 0, -((-value) // 2), value // 2)


def deinterlaced(previous, current, following, parity, top_first, skip_check):
    """One plane of yadif's output field: lines of `parity` are kept, the others guessed."""
    planes = [plane.astype(np.int64) for plane in (previous, current, following)]
    rows, columns = np.arange(current.shape[0]), np.arange(current.shape[1])

    def at(plane, dy, dx=0):
        return _clamped(plane, rows + dy, columns + dx)

    before2, now, after2 = planes
    second = parity == top_first
    before1, after1 = (now, after2) if second else (before2, now)
    above = {k: at(now, -1, k) for k in range(-3, 4)}
    below = {k: at(now, 1, k) for k in range(-3, 4)}
    guess = _spatial(above, below)

    p0 = _half(at(before1, -2) + at(after1, -2))
    p1, p3 = at(now, -1), at(now, 1)
    p2 = _half(at(before1, 0) + at(after1, 0))
    p4 = _half(at(before1, 2) + at(after1, 2))
    diff = np.maximum.reduce([
        np.abs(at(before1, 0) - at(after1, 0)),
        _half(np.abs(at(before2, -1) - p1) + np.abs(at(before2, 1) - p3)),
        _half(np.abs(at(after2, -1) - p1) + np.abs(p3 - at(after2, 1)))])
    if not skip_check:
        highest = np.maximum.reduce([p2 - p3, p2 - p1, np.minimum(p0 - p1, p4 - p3)])
        lowest = np.minimum.reduce([p2 - p3, p2 - p1, np.maximum(p0 - p1, p4 - p3)])
        diff = np.maximum.reduce([diff, lowest, -highest])
    guess = np.clip(guess, p2 - diff, p2 + diff)
    kept = (rows % 2 == parity)[:, None, None]
    return np.where(kept, now, guess).astype(current.dtype)


# ---- overlay_cuda, thumbnail_cuda, chromakey_cuda -----------------------------------------------------------------------

def overlaid(main, over, x, y, alpha=None):
    """`over` on `main` at (x, y), weighted by `alpha` (0..255) where given. Returns a new plane."""
    result = main.copy()
    rows, columns = min(over.shape[0], main.shape[0] - y), min(over.shape[1], main.shape[1] - x)
    below = result[y:y + rows, x:x + columns].astype(np.float32)
    weight = ONE if alpha is None else alpha[:rows, :columns].astype(np.float32) / np.float32(255)
    mixed = weight * over[:rows, :columns].astype(np.float32) + (ONE - weight) * below
    result[y:y + rows, x:x + columns] = mixed.astype(main.dtype)
    return result


def most_typical(frames):
    """Index of the frame whose histograms are closest to their average.

    Samples are counted as the filter reads them: blended at whole coordinates, half a texel off the centres.
    """
    histograms = []
    for planes in frames:
        y, u, v = split(planes)
        chroma = 4 if u.shape[:2] != y.shape[:2] else 1
        counts = []
        for plane, weight in ((y, 1), (u, chroma), (v, chroma)):
            samples = blended_integers(plane, np.arange(plane.shape[0]), np.arange(plane.shape[1]))
            bins = samples if plane.dtype == np.uint8 else np.minimum((samples + 128) >> 8, 255)
            counts.append(np.bincount(bins.ravel(), minlength=256) * weight)
        histograms.append(np.concatenate(counts))
    average = np.mean(histograms, axis=0)
    return int(np.argmin([((average - h) ** 2).sum() for h in histograms]))


def between_texels(plane):
    """An 8-bit plane as chromakey_cuda samples it: blended at whole coordinates, half a texel off the centres."""
    steps = blended(plane, np.arange(plane.shape[0]), np.arange(plane.shape[1]))
    return steps.astype(np.float32) / np.float32(65535) * np.float32(255)


def key_alpha(u, v, key, similarity, blend):
    """chromakey_cuda's alpha for every chroma sample: distance to the key, averaged over what of 3 x 3 is inside.

    `u`, `v`: as sampled.
    """
    rows, columns = u.shape[:2]
    du, dv = (plane[:, :, 0].astype(np.float32) - np.float32(k) for plane, k in ((u, key[0]), (v, key[1])))
    distance = np.sqrt((du * du + dv * dv) / np.float32(255 * 255 * 2))
    total = np.zeros_like(distance)
    count = np.zeros_like(distance)
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            into = (slice(max(0, -dy), rows - max(0, dy)), slice(max(0, -dx), columns - max(0, dx)))
            out_of = (slice(max(0, dy), rows + min(0, dy)), slice(max(0, dx), columns + min(0, dx)))
            total[into] += distance[out_of]
            count[into] += 1
    mean = total / count
    if blend > 0.0001:
        return (np.clip((mean - np.float32(similarity)) / np.float32(blend), 0, 1) * 255).astype(np.uint8)
    return np.where(mean < similarity, 0, 255).astype(np.uint8)
