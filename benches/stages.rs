//! Bytes per second of each stage of reading, on a generated service of the size of a large one.

use std::fmt::Write;

use divan::Bencher;
use divan::counter::BytesCount;
use treaty::languages::{Language, lower};
use treaty::text::FileId;

fn main() {
    divan::main();
}

/// What a service is made of: models, routes, docstrings, helpers; about 200 KB.
fn service() -> String {
    let mut text = String::from("from fastapi import APIRouter, Depends\nfrom pydantic import BaseModel\n\n");
    for index in 0..300 {
        let _ = write!(
            text,
            r#"
class Model{index}(BaseModel):
    """One of many models, with a line of documentation."""

    id: int = Field(default=..., gt=0, description="the number of the model")
    name: Optional[str] = None
    children: list["Model{index}"] = []


@router.get("/models/{index}/{{model_id}}", response_model=Model{index}, status_code=200)
async def read_model_{index}(model_id: int, q: Annotated[str | None, Query()] = None, db=Depends(get_db)):
    # A comment on what happens here.
    if q is not None and len(q) > 3:
        raise HTTPException(status_code=404, detail=f"model {{model_id}} was not found")
    rows = [row.id for row in await db.all(Model{index}) if row.name != "x"]
    return {{"id": model_id, "name": q or "none", "children": rows, **defaults(model_id)}}

"#
        );
    }
    text
}

#[divan::bench]
fn parse_python(bencher: Bencher) {
    let text = service();
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&tree_sitter_python::LANGUAGE.into()).expect("the grammar fits the parser");
    bencher.counter(BytesCount::of_str(&text)).bench_local(|| parser.parse(&text, None));
}

#[divan::bench]
fn lower_python(bencher: Bencher) {
    let text = service();
    bencher.counter(BytesCount::of_str(&text)).bench(|| lower(Language::Python, FileId(0), "app.py", &text));
}
