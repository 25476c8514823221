from fastapi import FastAPI, HTTPException
from pydantic import BaseModel

app = FastAPI()


class Book(BaseModel):
    id: int
    title: str
    subtitle: str | None


SHELF: dict[int, Book] = {}


def find_book(book_id: int) -> Book:
    """The book of this number, or 404."""
    if book_id not in SHELF:
        raise HTTPException(404, "no such book")
    return SHELF[book_id]


@app.get("/books/{book_id}")
def read_book(book_id: int) -> Book:
    return find_book(book_id)


@app.get("/books")
def list_books() -> list[Book]:
    return [SHELF[number] for number in sorted(SHELF)]
