"""Seen: which page a URL is, by the 64-bit key of the URL.

Extendible hashing (Fagin et al. 1979) in flat numpy arrays: a directory leads to segments, and a segment that
is full is split in two, so the table never stops to copy itself. Inside a segment a key may be in two
buckets and goes to the emptier one (Azar et al. 1994), so one pass of array operations finds a whole batch.
"""

from __future__ import annotations

import secrets

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Ids = npt.NDArray[np.uint32]

WIDTH = 32  # slots of a bucket: they are compared as one row
BUCKETS = 128  # buckets of a segment
SLOTS = WIDTH * BUCKETS
ONE, OTHER = 24, 36  # where a mixed key names its two buckets
SHIFTS = np.array([ONE, OTHER], np.uint64)
FIRST = 32  # segments at the start
# Segments there is address space for (about 45 million keys). Zeros nobody wrote to cost no memory, while growing
# an array in place may stop the crawl: the system has to move it when something lies behind it.
ARENA = 1 << 14
FINEST = 8  # a segment with fewer directory entries is not halved before the directory is doubled
FEW = 24  # so few keys are put in one by one: what an array operation costs before it begins is more
WORD = (1 << 64) - 1
CHUNK = 1 << 15  # keys handled at a time, which bounds the scratch memory


class Seen:
    """64-bit key → page id. Page ids are 1 .. 2**32 - 1; an id of 0 marks an empty slot."""

    def __init__(self) -> None:
        # A secret odd factor: nobody outside can choose URLs that all fall into one segment.
        self._factor = secrets.randbits(64) | 1
        self._mix = np.uint64(self._factor)
        # Unequal shares of the directory (spiral storage, Martin 1979): the segments fill up one after
        # the other, instead of all splitting in one season, so the bytes a key costs hardly vary.
        edges = np.rint(1024 * (np.exp2(np.arange(FIRST + 1) / FIRST) - 1)).astype(np.int64)
        self._directory: Ints = np.repeat(np.arange(FIRST), np.diff(edges))
        self._segments = FIRST
        self._keys: Ints = np.zeros(ARENA * SLOTS, np.int64)
        self._ids: Ids = np.zeros(ARENA * SLOTS, np.uint32)
        self._fill: npt.NDArray[np.uint8] = np.zeros(ARENA * BUCKETS, np.uint8)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    @property
    def nbytes(self) -> int:
        """Bytes of the tables, as far as they are in use."""
        return self._directory.nbytes + self._segments * (12 * SLOTS + BUCKETS)

    def find(self, keys: Ints) -> Ints:
        """The page id of each key, -1 where the key is unknown."""
        keys = np.ascontiguousarray(keys, np.int64)
        if len(keys) > CHUNK:
            return np.concatenate([self.find(keys[at : at + CHUNK]) for at in range(0, len(keys), CHUNK)])
        found: Ints = np.full(len(keys), -1, np.int64)
        buckets = self._homes(keys)
        same = self._keys.reshape(-1, WIDTH).take(buckets, axis=0) == keys[:, None, None]
        hits = np.flatnonzero(same)
        ids = self._ids.take(buckets.reshape(-1).take(hits // WIDTH) * WIDTH + hits % WIDTH)
        used = ids > 0
        found[hits[used] // (2 * WIDTH)] = ids[used]
        return found

    def add(self, keys: Ints, ids: npt.ArrayLike) -> None:
        """Remember new keys: none of them may be known already, or be given twice."""
        keys = np.ascontiguousarray(keys, np.int64)
        numbers = np.asarray(ids).astype(np.uint32)
        if len(keys) > FEW:
            for at in range(0, len(keys), CHUNK):
                self._insert(keys[at : at + CHUNK], numbers[at : at + CHUNK])
        else:
            for at, (key, number) in enumerate(zip(keys.tolist(), numbers.tolist(), strict=True)):
                if not self._slip_in(key, number):
                    self._insert(keys[at : at + 1], numbers[at : at + 1])
        self._size += len(keys)

    def load(self, keys: Ints, ids: npt.ArrayLike) -> None:
        """Remember millions of new keys at once."""
        self._reserve(len(self) + len(keys))
        self.add(keys, ids)

    def _homes(self, keys: Ints) -> Ints:
        """The two buckets of each key, one row a key."""
        mixed = keys.view(np.uint64) * self._mix
        path = mixed >> (65 - len(self._directory).bit_length())
        within = (mixed[:, None] >> SHIFTS & (BUCKETS - 1)).view(np.int64)
        return within + (self._directory[path.view(np.int64)] * BUCKETS)[:, None]

    def _slip_in(self, key: int, page: int) -> bool:
        """Put one key into the emptier of its buckets, unless both are full."""
        mixed = key * self._factor & WORD
        segment = self._directory.item(mixed >> (65 - len(self._directory).bit_length())) * BUCKETS
        bucket, second = segment + (mixed >> ONE & (BUCKETS - 1)), segment + (mixed >> OTHER & (BUCKETS - 1))
        slot, of_second = self._fill.item(bucket), self._fill.item(second)
        if of_second < slot:
            bucket, slot = second, of_second
        if slot == WIDTH:
            return False
        place = bucket * WIDTH + slot
        self._keys[place], self._ids[place], self._fill[bucket] = key, page, slot + 1
        return True

    def _insert(self, keys: Ints, ids: Ids) -> None:
        """Put the keys into their buckets; segments that have no room for theirs are split."""
        keys, ids = self._place(keys, ids)
        while len(keys):
            for segment in set((self._homes(keys)[:, 0] // BUCKETS).tolist()):
                self._split(segment)
            keys, ids = self._place(keys, ids)

    def _place(self, keys: Ints, ids: Ids) -> tuple[Ints, Ids]:
        """Put each key into the emptier of its buckets; give back those that found both full."""
        buckets = self._homes(keys)
        while len(keys):
            fill = self._fill.take(buckets)
            bucket = np.where(fill[:, 1] < fill[:, 0], buckets[:, 1], buckets[:, 0])
            order = bucket.argsort()
            bucket, keys, ids = bucket[order], keys[order], ids[order]
            slot = np.arange(len(keys)) - bucket.searchsorted(bucket) + self._fill.take(bucket)
            fits = slot < WIDTH
            if fits.all():
                self._write(bucket, slot, keys, ids)
                return keys[:0], ids[:0]
            if not fits.any():
                break
            self._write(bucket[fits], slot[fits], keys[fits], ids[fits])
            keys, ids, buckets = keys[~fits], ids[~fits], buckets[order[~fits]]
        return keys, ids

    def _write(self, bucket: Ints, slot: Ints, keys: Ints, ids: Ids) -> None:
        place = bucket * WIDTH + slot
        self._keys[place] = keys
        self._ids[place] = ids
        self._fill[bucket] = slot + 1  # of several for one bucket the last, which is the highest, remains

    def _split(self, segment: int) -> None:
        """Give half of the directory entries of a segment, and the keys behind them, to a new segment."""
        paths = np.flatnonzero(self._directory == segment)
        if len(paths) < FINEST:
            if len(self._directory) > 1024 * self._segments:
                raise ValueError("Seen.add was given one key again and again; ask find before adding")
            self._directory = np.repeat(self._directory, 2)
            paths = np.flatnonzero(self._directory == segment)
        self._directory[paths[len(paths) // 2 :]] = self._new_segment()
        slots = slice(segment * SLOTS, (segment + 1) * SLOTS)
        used = self._ids[slots] > 0
        keys, ids = self._keys[slots][used], self._ids[slots][used]
        self._ids[slots] = 0
        self._fill[segment * BUCKETS : (segment + 1) * BUCKETS] = 0
        self._insert(keys, ids)

    def _new_segment(self) -> int:
        if (self._segments + 1) * SLOTS > len(self._keys):
            segments = self._segments + self._segments // 8 + 1
            self._keys.resize(segments * SLOTS, refcheck=False)
            self._ids.resize(segments * SLOTS, refcheck=False)
            self._fill.resize(segments * BUCKETS, refcheck=False)
        self._segments += 1
        return self._segments - 1

    def _reserve(self, size: int) -> None:
        """Split beforehand what so many keys would fill, while there is little to move."""
        while True:
            share = np.bincount(self._directory) / len(self._directory)
            crowded = np.flatnonzero(share * size > 0.9 * SLOTS).tolist()
            if not crowded:
                return
            for segment in crowded:
                self._split(segment)
