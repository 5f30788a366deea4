"""The protocol of ThingMagic M6e modules (M6e Nano, M5e, M7E); facts and frames: hardware_docs/protocols/m6e.md."""
