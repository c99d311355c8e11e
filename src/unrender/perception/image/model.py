"""The image model: noise, background and edges of one picture, estimated once."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from unrender.perception.image.aliasing import is_aliased
from unrender.perception.image.background import estimate_background
from unrender.perception.image.blur import estimate_sharpness
from unrender.perception.image.chroma import halved_chroma
from unrender.perception.image.compression import (
    FILM,
    LEAST,
    chroma_variance,
    compressed_variance,
    estimate_ringing,
    has_halved_chroma,
    ringing_beside,
)
from unrender.perception.image.noise import estimate_noise
from unrender.perception.image.spill import spills
from unrender.perception.image.texture import REACH, Texture, estimate_texture
from unrender.render.coverage import Floats, Patch, cover
from unrender.render.shape import Shape, grown

Mask = NDArray[np.bool_]
Doubles = NDArray[np.float64]

REMEMBERED = 16  # patches: a shape is coloured, placed and compared one after the other
CHROMA_REACH = 3  # px: squares of 2x2 px, and the next ones beside them
FINEST = 0.5 / 255  # noise that no picture of 8 bits a channel is below
EVEN = 1.3  # times the noise that is new in a pixel of texture all over; compression adds more at edges
WRONG = 11.0  # bits of a pixel that noise hardly ever has
EDGE_ERROR = 0.05  # of coverage at edges: how much renderers differ from one another
EDGE_ERRORS = (0.05, 0.15)  # of coverage: what renderers have
FLIPPED = 0.2  # of the pixels on aliased edges: no more show the other side
STRIDE = 3  # px between those that are asked for a quantile
SPILL = 0.003  # of a pixel next to an edge that a renderer may paint or leave: less than a level of 8 bits
STRETCH = 4  # px a side of the places whose errors at edges are summed
PLACE = 16  # px a side of the places that are compared with one another
ROUGH = 0.15  # contrast at an edge from which it tells about the renderer
FEWEST = 50  # such pixels from which its error is told


@dataclass(frozen=True, eq=False)
class ImageModel:
    """How a picture comes about: background, shapes, and what is added to every pixel."""

    image: Floats  # (H, W, 3) in 0..1
    background: Floats  # (H, W, 3)
    sigma: float  # standard deviation of the noise of a channel
    edge_error: float = EDGE_ERROR  # standard deviation of coverage at edges; if aliased, a pixel's chance to
    # show the other side
    alike: float = 1.0  # pixels of an edge that share one error of the renderer
    spill: float = SPILL  # of a pixel next to an edge that the renderer may paint or leave
    sharpness: float = 1.0  # of edges: 1 if they are antialiased, less if they are blurred
    aliased: bool = False  # whether a pixel shows what lies at its centre, no mixture
    chroma_halved: bool = False  # whether chroma has half the resolution of luma
    ringing: float = 0.0  # variance that compression adds to luma in a block, by its contrast
    variance: Floats = field(default_factory=lambda: np.zeros((0, 0, 2), np.float32))
    # (H, W, 2) of luma and chroma, where compression adds to the noise; else empty
    texture: Texture = field(
        default_factory=lambda: np.zeros((0, 3))
    )  # how noise goes on from pixel to pixel
    fresh: float = 0.0  # standard deviation of what is new in every pixel, if there is texture
    covers: dict[Hashable, Patch] = field(default_factory=dict)  # the last ones that were asked for

    def cover(self, shape: Shape, sharpness: float) -> Patch:
        """The coverage of a shape where it paints, with edges of this sharpness."""
        window = grown(shape.window(*self.size), self.soft_margin, *self.size)
        numbers = (shape.pose.tobytes(), shape.form.tobytes(), shape.fill is None, shape.stroke is None)
        key = (shape.primitive.name, *numbers, shape.mitre, window, sharpness)
        found = self.covers.get(key)
        if found is None:
            if len(self.covers) >= REMEMBERED:
                del self.covers[next(iter(self.covers))]
            found = self.covers[key] = cover(shape, window, sharpness, self.spill)
        return found

    @property
    def reach(self) -> int:
        """px from a pixel to those that what is expected of it depends on."""
        return REACH if len(self.texture) else CHROMA_REACH if self.chroma_halved else 0

    @cached_property
    def cap(self) -> float:
        """Bits of a pixel that could have any colour, more than of one that is as drawn."""
        values = 1 + 2 * self.chroma_weight  # of luma and of two of chroma
        return self.share * max(values * math.log2(1 / (self.spread * math.sqrt(2 * math.pi))), 1.0)

    @property
    def wrong(self) -> float:
        """Bits beyond which a pixel looks wrong."""
        return min(WRONG, 0.7 * self.cap, self.flip_bits)

    @property
    def share(self) -> float:
        """Of the pixels, those that tell something of their own: not all if the picture is blurred."""
        return self.sharpness**2

    @property
    def soft_margin(self) -> int:
        """px by which what a shape paints reaches further than it does with antialiased edges."""
        return math.ceil(1 / self.sharpness) - 1

    @cached_property
    def spread(self) -> float:
        """Standard deviation of a channel where there are edges: noise, and what compression adds."""
        if self.ringing == 0:
            return self.fresh
        total = self.channel_variance[::STRIDE, ::STRIDE]
        return math.sqrt(float(np.median(total[total >= total.mean()])))

    @property
    def paint_sigma(self) -> float:
        """Standard deviation of a channel of a pixel that two shapes paint, where there are edges."""
        return self.spread if self.ringing > 0 else self.sigma

    @cached_property
    def channel_variance(self) -> Floats:
        """(H, W): variance of one channel of each pixel."""
        if self.ringing == 0:
            return np.full(self.size, self.sigma**2, np.float32)
        found: Floats = self.variance[..., 0] + self.variance[..., 1] / np.float32(3)
        return found

    @classmethod
    def of(cls, image: Floats, lossy: bool = False) -> ImageModel:
        """lossy: whether this is known to be a frame of a compressed film; else the picture tells."""
        sigma = max(estimate_noise(image), FINEST)
        background = estimate_background(image, sigma)
        texture, fresh = estimate_texture(image, background, sigma)
        model = cls(image, background, sigma, texture=texture, fresh=fresh)
        if not lossy and is_aliased(image, sigma):
            return replace(model, aliased=True, spill=0.0)
        if not spills(image, sigma):
            model = replace(model, spill=0.0)
        if not lossy and len(texture) and fresh < EVEN * sigma:
            return model  # nothing but texture goes on from pixel to pixel
        model = replace(model, sharpness=estimate_sharpness(image, sigma))
        ringing = estimate_ringing(image, sigma)
        halved = has_halved_chroma(image, otherwise=lossy or ringing > 0)
        if lossy or halved:  # nothing but compression halves chroma
            ringing = max(ringing, FILM if lossy else LEAST)
        if ringing == 0:
            return model
        # ringing goes on from pixel to pixel too, but nothing can be told from it
        model = replace(model, texture=texture[:0], fresh=sigma, chroma_halved=halved)
        return model._compressed(ringing)

    def _compressed(self, ringing: float) -> ImageModel:
        """The same picture if compression has added so much."""
        chroma = chroma_variance(self.image - self.background)
        noise = np.array([self.fresh**2, max(chroma, 3 * self.sigma**2)])
        variance = compressed_variance(self.image, noise, ringing)
        return replace(self, ringing=ringing, variance=variance)

    def of_next_frame(self, image: Floats) -> ImageModel:
        """The same background, noise and edges in the next frame of a film; what compression adds is that
        frame's own."""
        if self.variance.size == 0:
            return replace(self, image=image)
        ringing = max(estimate_ringing(image, self.sigma), self.ringing) if self.ringing > 0 else 0.0
        return replace(self, image=image)._compressed(ringing)

    def without(self, covered: Mask) -> ImageModel:
        """The same picture with its background estimated from the pixels that nothing covers (H, W)."""
        if (self.background == self.background[:1, :1]).all():
            return self  # one colour, which few pixels do not change
        background = estimate_background(self.image, self.sigma, covered)
        texture, fresh = estimate_texture(self.image, background, self.sigma)
        if len(self.texture) == 0 and self.variance.size:
            texture, fresh = self.texture, self.fresh
        return replace(self, background=background, texture=texture, fresh=fresh)

    @property
    def flip_bits(self) -> float:
        """Bits from which a pixel may be on the wrong side of an aliased edge; infinite for smooth edges."""
        return -0.9 * math.log2(self.edge_error) if self.aliased else math.inf

    @property
    def chroma_weight(self) -> float:
        """Independent values of chroma for each one of luma."""
        return 0.25 if self.chroma_halved else 1.0

    def with_edges(self, canvas: Floats, roughness: Floats) -> ImageModel:
        """The same picture with the renderer's own error as the edges of a canvas (H, W, 3) show it."""
        at = roughness > ROUGH
        if at.sum() < FEWEST:
            return self
        drawn = halved_chroma(canvas, 0, 0) if self.chroma_halved else canvas
        off, rough = ((self.image - drawn) ** 2).sum(2)[at], roughness[at]
        if self.aliased:
            wrong = off > (rough / 2) ** 2
            return replace(self, edge_error=min(_of_most_places(at, wrong), FLIPPED))
        rest = np.maximum(off - 3 * self.channel_variance[at], 0) / rough**2
        error = min(max(math.sqrt(float(np.quantile(rest, 0.8))) / 1.28, EDGE_ERRORS[0]), EDGE_ERRORS[1])
        alike = _sharing(at, (self.image - drawn)[at].sum(1) / rough)
        if (error, alike) == (self.edge_error, self.alike):
            return self
        return replace(self, edge_error=error, alike=alike)

    def with_ringing(self, canvas: Floats, roughness: Floats) -> ImageModel:
        """The same picture with as much ringing as a canvas (H, W, 3) shows beside its edges, if compression
        has added more than the picture alone tells."""
        if self.ringing == 0:
            return self
        drawn = halved_chroma(canvas, 0, 0) if self.chroma_halved else canvas
        ringing = ringing_beside(self.image, drawn, roughness)
        return self._compressed(ringing) if ringing > self.ringing else self

    @property
    def size(self) -> tuple[int, int]:
        """Height and width, px."""
        return self.image.shape[0], self.image.shape[1]


def _sharing(at: Mask, off: Doubles) -> float:
    """How many pixels of an edge share one error: by how much the squared sums of the errors (P,) of pixels
    `at` (H, W) that lie together exceed those of independent ones. What is not understood does not count."""
    wide, limit = at.shape[1] // STRETCH + 1, 3 * float(np.median(np.abs(off)))
    rows, columns = np.nonzero(at)
    place = (rows // STRETCH) * wide + columns // STRETCH
    known = np.abs(off) < limit
    count, total = np.bincount(place[known]), np.bincount(place[known], off[known])
    many = count >= STRETCH
    if many.sum() < FEWEST // STRETCH:
        return 1.0
    each = float((off[known] ** 2).mean())
    return min(max(float((total[many] ** 2 / count[many]).mean()) / max(each, 1e-12), 1.0), float(STRETCH))


def _of_most_places(at: Mask, wrong: Mask) -> float:
    """The share of pixels `at` (H, W) that are wrong (P,), in the better half of the places of a picture: the
    others may show what is not understood."""
    rows, columns = np.nonzero(at)
    place = (rows // PLACE) * (at.shape[1] // PLACE + 1) + columns // PLACE
    total, bad = np.bincount(place), np.bincount(place, wrong)
    better = np.argsort(bad / np.maximum(total, 1) + (total == 0), kind="stable")[
        : (np.sum(total > 0) + 1) // 2
    ]
    return float((bad[better].sum() + 0.5) / (total[better].sum() + 1))
