#!/usr/bin/env python3
"""What a scan costs by the number of projects in it: many small ones of a kind, twice as many, and so on.

    python3 benches/cost.py target/debug/treaty [--up-to 800]

prints the CPU seconds of each scan, and how many times those of half as many projects they are. What is the same for the
whole program is worked out once a run, so a doubling costs a little more than two times, never four. Nothing here fails by
the clock: the numbers are for whoever changes the evaluation to read.
"""

import argparse
import pathlib
import resource
import subprocess
import tempfile


def w(path, text):
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def cs(root, n):
    for i in range(n):
        d = f"{root}/Svc{i}"
        w(f"{d}/Svc{i}.csproj", '<Project Sdk="Microsoft.NET.Sdk.Web"><PropertyGroup><TargetFramework>net8.0</TargetFramework><Nullable>enable</Nullable></PropertyGroup></Project>\n')
        w(f"{d}/Program.cs", f"""using Svc{i}.Services;
var builder = WebApplication.CreateBuilder(args);
builder.Services.AddControllers().AddJsonOptions(o => o.JsonSerializerOptions.DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull);
builder.Services.AddScoped<IItemService, ItemService>();
builder.Services.AddHttpClient();
var app = builder.Build();
app.MapControllers();
app.MapGet("/svc{i}/health", () => new {{ ok = true }});
app.Run();
""")
        w(f"{d}/Models/Item.cs", f"namespace Svc{i}.Models;\npublic class Item {{ public int Id {{ get; set; }} public string Name {{ get; set; }} = \"\"; public List<string> Tags {{ get; set; }} = new(); }}\n")
        w(f"{d}/Models/Owner.cs", f"namespace Svc{i}.Models;\npublic record Owner(int Id, string? Email, Item Main);\n")
        w(f"{d}/Services/IItemService.cs", f"using Svc{i}.Models;\nnamespace Svc{i}.Services;\npublic interface IItemService {{ Item Get(int id); IEnumerable<Item> All(); }}\n")
        w(f"{d}/Services/ItemService.cs", f"using Svc{i}.Models;\nnamespace Svc{i}.Services;\npublic class ItemService : IItemService {{ private readonly HttpClient _http; public ItemService(HttpClient http) {{ _http = http; }} public Item Get(int id) => new Item {{ Id = id }}; public IEnumerable<Item> All() => new List<Item>(); public async Task Ping() {{ await _http.GetAsync(\"/ping\"); }} }}\n")
        w(f"{d}/Controllers/ItemsController.cs", f"""using Microsoft.AspNetCore.Mvc;
using Svc{i}.Models;
using Svc{i}.Services;
namespace Svc{i}.Controllers;
[ApiController]
[Route("svc{i}/[controller]")]
public class ItemsController : ControllerBase {{
  private readonly IItemService _items;
  public ItemsController(IItemService items) {{ _items = items; }}
  [HttpGet("{{id}}")] public ActionResult<Item> Get(int id) {{ var it = _items.Get(id); if (it == null) return NotFound(); return Ok(it); }}
  [HttpGet] public IEnumerable<Item> All() => _items.All();
  [HttpPost] public IActionResult Post(Item item) {{ return Created("", item); }}
}}
""")


def py(root, n):
    for i in range(n):
        d = f"{root}/svc{i}"
        w(f"{d}/pyproject.toml", f'[project]\nname = "svc{i}"\nversion = "1.0"\ndependencies = ["fastapi"]\n')
        w(f"{d}/svc{i}/__init__.py", "")
        w(f"{d}/svc{i}/main.py", f"from fastapi import FastAPI\nfrom svc{i}.routes import router\napp = FastAPI()\napp.include_router(router, prefix='/svc{i}')\n@app.get('/svc{i}/health')\ndef health() -> dict[str, bool]:\n    return {{'ok': True}}\n")
        w(f"{d}/svc{i}/routes.py", f"from fastapi import APIRouter, Depends\nfrom svc{i}.models import Item, Owner\nfrom svc{i}.service import ItemService, get_service\nrouter = APIRouter()\n@router.get('/items/{{id}}', response_model=Item)\ndef get_item(id: int, s: ItemService = Depends(get_service)):\n    return s.get(id)\n@router.post('/items', response_model=Owner)\ndef post_item(item: Item, s: ItemService = Depends(get_service)):\n    return s.owner(item)\n@router.get('/raw')\ndef raw():\n    return {{'a': 1, 'b': ['x']}}\n")
        w(f"{d}/svc{i}/models.py", f"from pydantic import BaseModel\nclass Item(BaseModel):\n    id: int\n    name: str = ''\n    tags: list[str] = []\nclass Owner(BaseModel):\n    id: int\n    main: Item\n")
        w(f"{d}/svc{i}/service.py", f"import httpx\nfrom svc{i}.models import Item, Owner\nfrom svc{i}.config import BASE\nclass ItemService:\n    def get(self, id: int) -> Item:\n        return Item(id=id)\n    def owner(self, item: Item) -> Owner:\n        return Owner(id=1, main=item)\n    def ping(self):\n        return httpx.get(BASE + '/ping').json()\ndef get_service():\n    return ItemService()\n")
        w(f"{d}/svc{i}/config.py", f"BASE = 'http://svc{i}'\n")


def ts(root, n):
    w(f"{root}/package.json", '{"name":"root","private":true,"workspaces":["packages/*"]}\n')
    for i in range(n):
        d = f"{root}/packages/svc{i}"
        w(f"{d}/package.json", f'{{"name":"@acme/svc{i}","version":"1.0.0","main":"src/index.ts","dependencies":{{"express":"4"}}}}\n')
        w(f"{d}/tsconfig.json", '{"compilerOptions":{"strict":true}}\n')
        w(f"{d}/src/index.ts", f"import express from 'express';\nimport {{ router }} from './routes';\nconst app = express();\napp.use(express.json());\napp.use('/svc{i}', router);\napp.listen(3000);\n")
        w(f"{d}/src/routes.ts", f"import {{ Router }} from 'express';\nimport {{ service }} from './service';\nimport type {{ Item }} from './types';\nexport const router = Router();\nrouter.get('/items/:id', (req, res) => {{ const it: Item = service.get(Number(req.params.id)); res.json(it); }});\nrouter.post('/items', async (req, res) => {{ res.status(201).json({{ ok: true, id: 1 }}); }});\nrouter.get('/items', (req, res) => {{ res.json(service.all()); }});\n")
        w(f"{d}/src/service.ts", f"import {{ Item }} from './types';\nimport {{ ping }} from './client';\nexport class Service {{ get(id: number): Item {{ return {{ id, name: 'x', tags: [] }}; }} all(): Item[] {{ return []; }} ping() {{ return ping(); }} }}\nexport const service = new Service();\n")
        w(f"{d}/src/types.ts", "export interface Item { id: number; name: string; tags: string[]; owner?: Owner }\nexport interface Owner { id: number; email: string | null }\n")
        w(f"{d}/src/client.ts", f"import axios from 'axios';\nimport {{ BASE }} from './config';\nexport async function ping() {{ return (await axios.get(`${{BASE}}/ping`)).data; }}\n")
        w(f"{d}/src/config.ts", f"export const BASE = 'http://svc{i}';\n")


def seconds(treaty, directory):
    """The least of three runs: a machine is seldom idle."""
    least = None
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run([treaty, "scan", "."], cwd=directory, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        took = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        least = took if least is None else min(least, took)
    return least


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("treaty")
    arguments.add_argument("--up-to", type=int, default=800)
    given = arguments.parse_args()
    treaty = str(pathlib.Path(given.treaty).resolve())
    for name, write in [("C# projects", cs), ("Python packages", py), ("TypeScript workspaces", ts)]:
        count, before = 100, None
        while count <= given.up_to:
            with tempfile.TemporaryDirectory() as directory:
                write(directory, count)
                took = seconds(treaty, directory)
            times = "" if before is None else f"  {took / before:.2f} times"
            print(f"{count:5} {name:22} {took:7.2f} s{times}", flush=True)
            count, before = count * 2, took


if __name__ == "__main__":
    main()
