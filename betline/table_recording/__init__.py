"""The recording of a whole table in one file: MCAP, so that other tools open it too.

Bus, taps (`betline.tap`), journal and pictures lie on one time line, that of the wall clock of the recording machine in
nanoseconds. The library is that of MCAP's own project (pip package `mcap`, extra `lab`); the format is described at
https://mcap.dev/spec. A file whose recorder was killed is read up to its last whole chunk.
"""
