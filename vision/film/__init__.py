"""A film of a real evening: recorded without faces, labelled by a person, packed for those who measure the detector."""
