import { expect, test } from 'vitest'
import { preparePythonSandbox } from '../helpers/python-sandbox.ts'

const sandbox = preparePythonSandbox(undefined, ['opendal==0.47.12'])

const script = `
import json, os
import opendal
from huggingface_hub import HfApi
api = HfApi()
repo = "alice/by-opendal"
api.create_repo(repo)
for path in ["a.txt", "dir/b.txt", "dir/c.txt"]:
    api.upload_file(path_or_fileobj=path.encode(), path_in_repo=path, repo_id=repo)
operator = opendal.Operator(
    "hf",
    repo_type="model",
    repo_id=repo,
    endpoint=os.environ["HF_ENDPOINT"],
    token=os.environ["HF_TOKEN"],
    download_mode="http",
)
list_files = lambda: sorted(entry.path for entry in operator.list("/", recursive=True))
seen = {"before": list_files(), "size": operator.stat("a.txt").content_length}
seen["text"] = bytes(operator.read("dir/b.txt")).decode()
operator.delete("a.txt")
operator.delete("dir/b.txt")
seen["after"] = list_files()
seen["title"] = api.list_repo_commits(repo)[0].title
content = os.urandom(300_000)
operator.write("d.bin", content)
seen["written"] = bytes(operator.read("d.bin")) == content
print(json.dumps(seen))
`

// It sends a commit as one JSON object. Files it writes go by Xet, whatever is set.
test('OpenDAL lists, reads, deletes and writes files', async () => {
  expect(await sandbox.run(script)).toEqual({
    before: ['.gitattributes', 'a.txt', 'dir/', 'dir/b.txt', 'dir/c.txt'],
    size: 5,
    text: 'dir/b.txt',
    after: ['.gitattributes', 'dir/', 'dir/c.txt'],
    title: 'Commit via OpenDAL',
    written: true,
  })
})
