"""What the journal says afterwards: hands, statements, who pays whom, pictures, erasure of names."""
