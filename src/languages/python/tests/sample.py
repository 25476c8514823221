"""A module with a bit of everything."""
from __future__ import annotations

import os, sys as system
from typing import (Annotated, Generic,  # why
    Optional as Opt)
from . import models
from ..db import *

PREFIX: str = "/api" "/v1"
router = APIRouter(prefix=f"{PREFIX}/users", tags=["users"], **EXTRA)
a = b = {"x": 1, **other, 'y': [1, 2.5, -3, 0xff, 1j, *rest]}
first, *more = (x for x in range(10) if x % 2 == 0 if x not in seen)
total += a[1:2, ::3, ...] @ m | {1, 2} & {k for k in a}
type Pair[T: int] = tuple[T, "T"]


class User(Base["User"], Generic[T], metaclass=Meta, total=False):
    """Doc."""

    id: int = Field(default=..., gt=0, description='it\'s \x41\u00e9\n')
    name: "Opt[str]" = None
    tags: list["Tag"] | None

    class Config:
        orm_mode = True

    @property
    def full(self) -> str: return f"{self.name!r:>{width}} {{x}}"


@router.get("/{user_id}", response_model=User, status_code=200)
@other
async def read_user(user_id: int, /, q: Annotated[str | None, Query(max_length=5)] = None, *args: int, db=Depends(get_db), **kwargs: Any) -> Opt["User"]:
    global state
    if user_id < 0 and not q or q is not None:
        raise HTTPException(404, detail="x") from err
    elif 0 < user_id < 10: pass
    elif (n := len(q)) > 3:
        return {i: v for i, v in enumerate(q)}
    else:
        del state
    try:
        async with db as session, open(r"c:\n") as f:
            async for row in await session.all():
                yield row
                continue
    except* (KeyError, ValueError) as e:
        assert e, "why"
    else:
        items = [(lambda x, *y, z=1: x + y)(i) for i in items]
    finally:
        while True:
            break
        else:
            x = 1
    match user_id, q:
        case [1, *_] if q: return
        case {"k": User(name=str() as s), **rest} | None:
            return s if rest else '''long
text'''
        case _:
            result = yield from other()
    with (open("a") as f, open("b")):
        print(f"{f=}", file=sys.stderr)
    return b"bytes"
