"""Films drawn again: GIF and MP4."""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray

from unrender.film.film import Film

QUALITY = "14"  # of H.264: the rate factor; what is less cannot be told from the drawing
CLOCK = 90_000  # units of a second in which times are told


def gif(film: Film) -> bytes:
    """An animated GIF; its frames last a whole number of hundredths of a second."""
    from PIL import Image

    ends = [*film.times[1:], film.seconds]
    shown = [round(100 * end) - round(100 * start) for start, end in zip(film.times, ends, strict=True)]
    images = [Image.fromarray(scene.image) for scene in film.scenes]
    file = io.BytesIO()
    images[0].save(
        file, "GIF", save_all=True, append_images=images[1:], loop=0, duration=[10 * max(n, 2) for n in shown]
    )
    return file.getvalue()


def mp4(film: Film) -> bytes:
    """An H.264 video. Sides are even there: an odd one gets one more row or column of the same colours."""
    from fractions import Fraction

    import av

    file = io.BytesIO()
    with av.open(file, "w", format="mp4") as container:
        rate = Fraction(film.fps).limit_denominator(1001)
        stream = container.add_stream("libx264", rate=rate)
        stream.width, stream.height = film.width + film.width % 2, film.height + film.height % 2
        stream.pix_fmt, stream.options = "yuv420p", {"crf": QUALITY}
        stream.codec_context.time_base = Fraction(1, CLOCK)
        for scene, time in zip(film.scenes, film.times, strict=True):
            frame = av.VideoFrame.from_ndarray(_even(scene.image), format="rgb24")
            frame.pts, frame.time_base = round(time * CLOCK), Fraction(1, CLOCK)
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return file.getvalue()


def _even(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    tall, wide = image.shape[:2]
    return np.ascontiguousarray(np.pad(image, ((0, tall % 2), (0, wide % 2), (0, 0)), mode="edge"))
