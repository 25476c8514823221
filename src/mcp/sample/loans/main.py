import httpx
from fastapi import FastAPI

app = FastAPI()
books = httpx.Client(base_url="http://books")


@app.get("/loans/{book_id}")
def read_loan(book_id: int) -> dict[str, str]:
    book = books.get(f"/books/{book_id}").json()
    return {"title": book["title"]}
