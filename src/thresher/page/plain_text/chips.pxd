"""Whether a space is needed between two texts where a chip ends or starts.

See `gaps.chip_gaps`, the plain version.
"""

from libc.stdint cimport uint16_t

cdef enum:  # bits of a gap, as in `gaps`
    ANY_LEVEL = 0b11111
    A_CHIP_STARTS = 1 << 5
    A_CHIP_ENDS = 1 << 6
    BOTH = A_CHIP_STARTS | A_CHIP_ENDS


cdef inline bint are_apart(str before, str after, bint are_links, uint16_t gap):
    """Return whether a space is needed at a gap with these bits, which is not in code."""
    if gap & BOTH == BOTH:
        return are_words(before, after, are_links)
    return gap & BOTH and gap & ANY_LEVEL == 0 and begins_word(before, after)


cdef inline bint are_words(str before, str after, bint are_links):
    """Return whether two texts beside each other are words, not pieces of one."""
    if not before or not after or not (are_links or (len(before) > 1 and len(after) > 1)):
        return False
    return before[len(before) - 1].isalnum() and after[0].isalnum()


cdef inline bint begins_word(str before, str after):
    """Return whether a text begins with a capital, and the one before ends with small letters."""
    cdef Py_ssize_t length = len(before)
    if length < 2 or len(after) < 2:
        return False
    return (
        after[0].isupper() and after[1].islower()
        and before[length - 1].islower() and before[length - 2].islower()
    )
