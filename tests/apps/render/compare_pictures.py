#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""compare_pictures.py DIRECTORY DIRECTORY…: the PNG pictures of the first directory are in each of the others, and no
red, green or blue differs by more than 1 of 255."""
import pathlib
import struct
import sys
import zlib


def paeth(a, b, c):
    p = a + b - c
    pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
    return a if pa <= pb and pa <= pc else b if pb <= pc else c


def unfiltered(kind, line, above):
    out = bytearray(line)
    for i in range(len(out)):
        left = out[i - 3] if i >= 3 else 0
        corner = above[i - 3] if i >= 3 else 0
        guess = (0, left, above[i], (left + above[i]) // 2, paeth(left, above[i], corner) if kind == 4 else 0)[kind]
        out[i] = (out[i] + guess) & 255
    return out


def pixels(file):
    """Width, height and the bytes of an RGB picture of 8 bits."""
    data = file.read_bytes()
    at, packed, size = 8, b"", None
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            size = struct.unpack(">IIBBBBB", body)
        if kind == b"IDAT":
            packed += body
        at += length + 12
    width, height, depth, colour = size[:4]
    assert (depth, colour) == (8, 2), f"{file} has other pixels"
    lines, stride = zlib.decompress(packed), 3 * width + 1
    rows, above = [], bytearray(3 * width)
    for row in range(height):
        above = unfiltered(lines[row * stride], lines[row * stride + 1:(row + 1) * stride], above)
        rows.append(bytes(above))
    return width, height, b"".join(rows)


def compare(file, other):
    width, height, mine = pixels(file)
    if not other.exists():
        return f"{other} is missing"
    if (width, height) != pixels(other)[:2]:
        return f"{other} has another size"
    theirs = pixels(other)[2]
    largest = max(abs(a - b) for a, b in zip(mine, theirs)) if mine != theirs else 0
    different = sum(a != b for a, b in zip(mine, theirs)) if mine != theirs else 0
    print(f"{other}: largest difference {largest} of 255, {different} of {len(mine)} numbers differ")
    return f"{other} differs from {file} by {largest}" if largest > 1 else None


def main(first, *others):
    files = sorted(pathlib.Path(first).glob("*.png"))
    faults = [fault for other in others for file in files if (fault := compare(file, pathlib.Path(other) / file.name))]
    print("\n".join(faults))
    return 1 if faults or not files else 0


sys.exit(main(*sys.argv[1:]))
