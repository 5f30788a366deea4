"""The virtual camera: it draws the world as the table's overhead camera would see it, and serves or records that."""
