"""Each kind of error has the exit status that the commands promise."""

import pytest
from pydantic import BaseModel, ValidationError, field_validator

from support_desk.errors import BadInput, DeskError, Refused, StorageError, first_fault


def test_each_error_has_its_exit_status():
    assert [each.exit_status for each in (DeskError, BadInput, Refused, StorageError)] == [1, 2, 3, 4]


class Pair(BaseModel):
    left: int
    right: int = 0

    @field_validator("right")
    @classmethod
    def is_not_seven(cls, right: int) -> int:
        if right == 7:
            raise ValueError("seven is taken.")
        return right


@pytest.mark.parametrize(
    ("given", "fault"),
    [({}, "left: Field required"), ({"left": 1, "right": 7}, "right: seven is taken"),
     (3, "Input should be a valid dictionary or instance of Pair")],
)
def test_the_first_fault_is_told_in_one_line(given, fault):
    with pytest.raises(ValidationError) as caught:
        Pair.model_validate(given)

    assert first_fault(caught.value) == fault
