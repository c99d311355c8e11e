"""Watching: from files and images to scenes and tracks, and what happens with bad ones."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np
import pytest
from PIL import Image

import unrender
from tests.film.drawings import Frame, frame, passing
from unrender.errors import UnrenderError

FALL = [frame([("circle", 30 + t, 12 + 0.5 * t + 0.05 * t * t, 14, 14, "#f0c020")]) for t in range(20)]


def gif(path: Path, frames: list[Frame], milliseconds: int | list[int] = 40) -> Path:
    first, *others = [Image.fromarray(each) for each in frames]
    first.save(path, save_all=True, append_images=others, duration=milliseconds)
    return path


def video(
    path: Path, frames: list[Frame], rate: int = 20, times: list[int] | None = None, crf: int = 12
) -> Path:
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=rate)
        stream.height, stream.width = frames[0].shape[:2]
        stream.pix_fmt, stream.options = "yuv420p", {"crf": str(crf)}
        for k, pixels in enumerate(frames):
            image = av.VideoFrame.from_ndarray(np.ascontiguousarray(pixels), format="rgb24")
            image.pts = k if times is None else times[k]
            container.mux(stream.encode(image))
        container.mux(stream.encode())
    return path


def test_a_film_has_a_scene_for_every_frame_and_a_track_for_every_object(brain: unrender.Brain) -> None:
    film = brain.watch(FALL, fps=30)
    assert (len(film.scenes), film.fps) == (20, 30)
    (track,) = film.tracks
    assert (track.symbol, track.first, track.last) == ("circle", 0, 19)
    assert list(track.observations) == list(range(20))
    assert all(node.track == track.number for node in track.observations.values())
    assert film.scenes[0].axioms[0] is track.observations[0]


def test_velocity_under_gravity_is_exact_to_a_fiftieth_of_a_pixel(brain: unrender.Brain) -> None:
    track = brain.watch(FALL).tracks[0]
    for t in range(1, 19):
        vx, vy = track.observations[t].velocity or (0, 0)
        assert abs(vx - 1) < 0.02
        assert abs(vy - 0.5 - 0.1 * t) < 0.02


def test_videos_animations_folders_and_images_are_all_films(brain: unrender.Brain, tmp_path: Path) -> None:
    frames = FALL[:6]
    for k, pixels in enumerate(frames):
        Image.fromarray(pixels).save(tmp_path / f"frame{k + 5}.png")
    for source, fps in (
        (video(tmp_path / "clip.mp4", frames), 20),
        (gif(tmp_path.parent / "clip.gif", frames), 25),
        (tmp_path, 25),
        (iter(frames), 25),
        (np.stack(frames), 25),
    ):
        film = brain.watch(source)
        assert (len(film), round(film.fps, 3)) == (6, fps)
        places = [node.position[0] for node in film.tracks[0].observations.values()]
        assert np.allclose(places, [30 + t for t in range(6)], atol=0.3)  # "frame10" comes after "frame9"


def test_a_film_of_uneven_times_knows_them(brain: unrender.Brain, tmp_path: Path) -> None:
    times = [0, 1, 2, 5, 6, 7, 8, 9]
    frames = [frame([("circle", 20 + 3 * t, 32, 14, 14, "#f0c020")]) for t in times]
    film = brain.watch(video(tmp_path / "uneven.mkv", frames, times=times))
    assert np.allclose(film.times, np.array(times) / 20, atol=0.002)
    speed = [(node.velocity or (0, 0))[0] * film.fps for node in film.tracks[0].observations.values()]
    assert np.allclose(speed, 60, rtol=0.03)  # 3 px in a twentieth of a second, whenever it was looked at


def test_frames_can_be_taken_at_another_rate(brain: unrender.Brain, tmp_path: Path) -> None:
    film = brain.watch(video(tmp_path / "clip.mp4", FALL), fps=5)
    assert (len(film), film.fps) == (5, 5)


def test_what_can_be_read_of_a_broken_video_is_a_film_that_says_so(
    brain: unrender.Brain, tmp_path: Path
) -> None:
    whole = video(tmp_path / "whole.mkv", FALL).read_bytes()
    broken = tmp_path / "broken.mkv"
    broken.write_bytes(whole[: int(len(whole) * 0.6)])
    film = brain.watch(broken)
    assert 0 < len(film) < 20


def test_a_file_that_is_no_film_is_one_sentence(brain: unrender.Brain, tmp_path: Path) -> None:
    text = tmp_path / "notes.mp4"
    text.write_text("no video")
    empty = tmp_path / "empty"
    empty.mkdir()
    for source in (text, tmp_path / "missing.mp4", empty, [], 7, FALL[0], ["missing.png"]):
        with pytest.raises(UnrenderError):
            brain.watch(source)
    with pytest.raises(UnrenderError, match="frames a second"):
        brain.watch(FALL, fps=0)


def test_frames_of_another_size_are_left_out_and_told(brain: unrender.Brain) -> None:
    film = brain.watch([FALL[0], FALL[1], FALL[2][:40], FALL[3]])
    assert len(film) == 3
    assert film.notes == ("1 frame was left out that had another size than 96x64.",)


def test_ctrl_c_keeps_what_was_seen(brain: unrender.Brain) -> None:
    def stop(done: int, of: int | None) -> None:
        assert of == 20
        if done == 4:
            raise KeyboardInterrupt

    film = brain.watch(FALL, progress=stop)
    assert len(film) == 4
    assert film.notes == ("Stopped after 4 frames.",)


def test_a_film_keeps_no_pixels_of_its_own_for_every_frame(brain: unrender.Brain) -> None:
    film = brain.watch(passing(8))
    assert len({id(scene.background) for scene in film.scenes}) == 1
    assert len({id(scene.residual.mask) for scene in film.scenes}) == 1
    assert all(scene.picture is None and scene.tracks is None for scene in film.scenes)


def test_a_compressed_film_has_the_objects_that_were_drawn_and_no_others(
    brain: unrender.Brain, tmp_path: Path
) -> None:
    frames = [
        frame([("square", 60, 20, 30, 20, "#3060e0"), ("circle", 16 + 3 * t, 44, 20, 20, "#e03020")])
        for t in range(12)
    ]
    path = video(tmp_path / "clip.mp4", frames, crf=23)
    with av.open(str(path)) as container:  # as other programs decode it, every chroma repeated for 2x2 px
        decoded = [shown.to_ndarray(format="rgb24") for shown in container.decode(video=0)]
    for source in (path, decoded):
        film = brain.watch(source)
        assert [(track.symbol, len(track.observations)) for track in film.tracks] == [
            ("square", 12),
            ("circle", 12),
        ]
        speed = [(node.velocity or (0, 0))[0] for node in film.tracks[1].observations.values()]
        assert np.allclose(speed, 3, atol=0.1)


def test_videos_without_pictures_are_one_sentence(brain: unrender.Brain, tmp_path: Path) -> None:
    cut = tmp_path / "cut.mp4"  # its index, which is at the end, was never written
    cut.write_bytes(video(tmp_path / "whole.mp4", FALL[:4]).read_bytes()[:600])
    sound = tmp_path / "sound.wav"
    with av.open(str(sound), "w") as container:
        stream = container.add_stream("pcm_s16le", rate=8000, layout="mono")
        silence = av.AudioFrame.from_ndarray(np.zeros((1, 800), np.int16), format="s16", layout="mono")
        silence.sample_rate = 8000
        container.mux(stream.encode(silence))
        container.mux(stream.encode())
    for source, reason in ((cut, "damaged or not a video"), (sound, "holds no video")):
        with pytest.raises(UnrenderError, match=reason) as caught:
            brain.watch(source)
        assert str(caught.value).count("\n") == 0
