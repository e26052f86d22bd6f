import { expect, test } from 'vitest'
import { preparePythonSandbox } from '../helpers/python-sandbox.ts'

// The last of the releases that much still builds on: they send by another HTTP library, which writes truth values as Python does.
const sandbox = preparePythonSandbox('0.36.2')

const script = `
import json, os, tempfile
from huggingface_hub import HfApi, HfFileSystem, snapshot_download
api = HfApi()
repo = "alice/before-one"
folder = tempfile.mkdtemp()
os.mkdir(os.path.join(folder, "sub"))
for name, size in [("a.txt", 3), ("sub/b.txt", 4), ("weights.bin", 70_000)]:
    with open(os.path.join(folder, name), "wb") as file:
        file.write(os.urandom(size) if size > 10 else b"x" * size)
api.create_repo(repo, private=True)
api.upload_folder(repo_id=repo, folder_path=folder, delete_patterns="*.old")
pull = api.upload_file(path_or_fileobj=b"p", path_in_repo="p", repo_id=repo, create_pr=True)
seen = {"files": api.list_repo_files(repo), "pull request": pull.pr_revision}
seen["tree"] = [it.path for it in api.list_repo_tree(repo, recursive=True, expand=True) if it.last_commit]
info = api.model_info(repo, revision="refs/pr/1", files_metadata=True)
seen["sizes"] = {it.rfilename: it.size for it in info.siblings if it.rfilename != ".gitattributes"}
listed = api.list_models(author="alice", search="before", full=True, cardData=True, fetch_config=True)
seen["listed"] = [[it.id, it.private] for it in listed]
seen["refs"] = [it.ref for it in api.list_repo_refs(repo, include_pull_requests=True).pull_requests]
fs = HfFileSystem()
seen["found"] = sorted(it.removeprefix(repo + "/") for it in fs.find(repo))
seen["part"] = fs.cat_file(repo + "/sub/b.txt", 1, 3).decode()
api.update_repo_settings(repo, gated="auto", private=False)
seen["snapshot"] = sorted(os.listdir(snapshot_download(repo)))
api.move_repo(repo, "alice/moved")
seen["moved"] = api.model_info(repo).id
api.delete_repo("alice/moved")
print(json.dumps(seen))
`

// What it was not told goes out as null.
const webhooks = `
import json
from huggingface_hub import HfApi
api = HfApi()
made = api.create_webhook(url="http://127.0.0.1:9/hook", watched=[{"type": "org", "name": "acme"}])
seen = [[made.url, made.domains]]
for change in [{"secret": "s3cret"}, {"domains": ["repo"]}, {"url": "http://127.0.0.1:9/other"}]:
    changed = api.update_webhook(made.id, **change)
    seen.append([changed.url, changed.domains])
print(json.dumps(seen))
`

test('huggingface_hub before its first whole version makes and changes a webhook', async () => {
  const [first, other] = ['http://127.0.0.1:9/hook', 'http://127.0.0.1:9/other']
  expect(await sandbox.run(webhooks)).toEqual([
    [first, ['repo', 'discussion']],
    [first, ['repo', 'discussion']],
    [first, ['repo']],
    [other, ['repo']],
  ])
  const { items } = (await (await fetch(`${sandbox.url}/_sandbox/api/webhooks`)).json()) as {
    items: { secret?: string }[]
  }
  expect(items.map(({ secret }) => secret)).toContain('s3cret')
})

test('huggingface_hub before its first whole version makes, fills, lists, reads and moves a repo', async () => {
  const files = ['.gitattributes', 'a.txt', 'sub/b.txt', 'weights.bin']
  expect(await sandbox.run(script)).toEqual({
    files,
    'pull request': 'refs/pr/1',
    tree: ['sub', '.gitattributes', 'a.txt', 'sub/b.txt', 'weights.bin'],
    sizes: { 'a.txt': 3, p: 1, 'sub/b.txt': 4, 'weights.bin': 70_000 },
    listed: [['alice/before-one', true]],
    refs: ['refs/pr/1'],
    found: files,
    part: 'xx',
    snapshot: ['.gitattributes', 'a.txt', 'sub', 'weights.bin'],
    moved: 'alice/moved',
  })
})
