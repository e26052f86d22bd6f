import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../server/index.ts'
import { installPythonClient } from '../helpers/python-client.ts'

// The last of the releases that much still builds on: they send by another HTTP library, which writes truth values as Python does.
const version = '0.36.2'

let obstacle: string | undefined
let interpreter: string
let home: string
let sandbox: Sandbox

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'hub-sandbox-python-'))
  const installed = await installPythonClient(version)
  obstacle = installed.obstacle
  interpreter = installed.interpreter
  sandbox = await startSandbox()
}, 240_000)
beforeEach(({ skip }) => skip(obstacle !== undefined, obstacle))
afterAll(async () => {
  await (sandbox as Sandbox | undefined)?.close()
  rmSync(home, { recursive: true, force: true })
})

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

test('huggingface_hub before its first whole version makes, fills, lists, reads and moves a repo', async () => {
  const { stdout } = await promisify(execFile)(interpreter, ['-c', script], {
    env: {
      ...process.env,
      HF_ENDPOINT: sandbox.url,
      HF_TOKEN: 'hf_sandbox_alice',
      HF_HOME: home,
      HF_HUB_DISABLE_XET: '1',
      HF_HUB_DISABLE_PROGRESS_BARS: '1',
    },
    timeout: 120_000,
  })
  const files = ['.gitattributes', 'a.txt', 'sub/b.txt', 'weights.bin']
  expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toEqual({
    files,
    'pull request': 'refs/pr/1',
    tree: ['.gitattributes', 'a.txt', 'sub', 'sub/b.txt', 'weights.bin'],
    sizes: { 'a.txt': 3, p: 1, 'sub/b.txt': 4, 'weights.bin': 70_000 },
    listed: [['alice/before-one', true]],
    refs: ['refs/pr/1'],
    found: files,
    part: 'xx',
    snapshot: ['.gitattributes', 'a.txt', 'sub', 'weights.bin'],
    moved: 'alice/moved',
  })
})
