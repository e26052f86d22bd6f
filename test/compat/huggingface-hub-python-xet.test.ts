import { describe, expect, test } from 'vitest'
import { preparePythonSandbox } from '../helpers/python-sandbox.ts'

// As pip installs the client, with nothing set but HF_ENDPOINT and a token.
const sizes = { 'small.safetensors': 50_000, 'large.bin': 12_000_000 }
const roundTrip = `
import hashlib, json, os, tempfile
from huggingface_hub import HfApi, hf_hub_download
api = HfApi()
repo = "alice/with-xet"
api.create_repo(repo)
folder = tempfile.mkdtemp()
seen = {}

def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()

for name, size in ${JSON.stringify(sizes)}.items():
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(os.urandom(size))
    api.upload_file(path_or_fileobj=path, path_in_repo=name, repo_id=repo)
    down = hf_hub_download(repo, name, cache_dir=tempfile.mkdtemp())
    seen[name] = digest(down) == digest(path)
print(json.dumps(seen))
`

interface LoggedRequest {
  readonly id: string
  readonly path: string
}

async function requestsTo(url: string, part: string): Promise<LoggedRequest[]> {
  const answer = await fetch(`${url}/_sandbox/api/requests?limit=1000`)
  const { items } = (await answer.json()) as { items: LoggedRequest[] }
  return items.filter(({ path }) => path.includes(part))
}

/** Bytes of a request's body. */
async function sizeOf(url: string, id: string): Promise<number> {
  const answer = await fetch(`${url}/_sandbox/api/requests/${id}`)
  const { request } = (await answer.json()) as { request: { size: number } }
  return request.size
}

describe.each(['2.4.0', '1.33.0', '1.20.0', '1.15.0', '0.36.2'])(
  'huggingface_hub %s',
  (version) => {
    const sandbox = preparePythonSandbox(version, ['hf_xet==1.8.0'])

    test('sends and gets large files by Xet', async () => {
      const same = Object.fromEntries(Object.keys(sizes).map((name) => [name, true]))
      expect(await sandbox.run(roundTrip)).toEqual(same)
      expect((await requestsTo(sandbox.url, '/v1/xorbs/')).length).toBeGreaterThan(1)
      expect((await requestsTo(sandbox.url, '/reconstructions/')).length).toBeGreaterThan(1)
    })
  },
)

describe('huggingface_hub with hf_xet', () => {
  // The last one with upload_large_folder.
  const sandbox = preparePythonSandbox('1.33.0', ['hf_xet==1.8.0'])

  test('sends only what is new of a file that has changed', async () => {
    const script = `
import json, os, tempfile
from huggingface_hub import HfApi
api = HfApi()
api.create_repo("alice/with-xet")
path = os.path.join(tempfile.mkdtemp(), "w.bin")
content = bytearray(os.urandom(20_000_000))
for change in (None, 10_000_000, 10_000_000):
    if change is not None:
        content[change:change + 100] = os.urandom(100)
    with open(path, "wb") as file:
        file.write(content)
    api.upload_file(path_or_fileobj=path, path_in_repo="w.bin", repo_id="alice/with-xet")
print(json.dumps(len(api.list_repo_commits("alice/with-xet"))))
`
    expect(await sandbox.run(script)).toBe(4)
    const uploads = await requestsTo(sandbox.url, '/v1/xorbs/')
    const sent = await Promise.all(uploads.map(({ id }) => sizeOf(sandbox.url, id)))
    const total = sent.reduce((sum, bytes) => sum + bytes, 0)
    expect(total).toBeGreaterThan(20_000_000)
    expect(total).toBeLessThan(20_000_000 * 1.4)
  })

  test('sends folders, large folders and pull requests, and reads parts of files', async () => {
    const script = `
import hashlib, json, os, tempfile
from huggingface_hub import HfApi, HfFileSystem, snapshot_download
api = HfApi()
repo = "alice/with-xet"
folder = tempfile.mkdtemp()
contents = {}
for number in range(4):
    contents[f"part-{number}.bin"] = os.urandom(700_000)
# A model has numbers, which are packed in another way than text.
contents["numbers.bin"] = bytes(byte for number in range(200_000) for byte in (number % 7, 0, 63, 191))
contents["text.bin"] = b"once upon a time " * 50_000
for name, content in contents.items():
    with open(os.path.join(folder, name), "wb") as file:
        file.write(content)
api.create_repo(repo)
api.upload_folder(folder_path=folder, repo_id=repo)
api.create_repo("alice/large")
api.upload_large_folder(folder_path=folder, repo_id="alice/large", repo_type="model", print_report=False)
pr = api.upload_file(path_or_fileobj=os.path.join(folder, "text.bin"), path_in_repo="again.bin", repo_id=repo, create_pr=True)

def same(where):
    return all(open(os.path.join(where, name), "rb").read() == content for name, content in contents.items())

with HfFileSystem().open(f"{repo}/part-1.bin", "rb") as file:
    file.seek(123_456)
    part = file.read(1000)
print(json.dumps({
    "folder": same(snapshot_download(repo, cache_dir=tempfile.mkdtemp())),
    "large folder": same(snapshot_download("alice/large", cache_dir=tempfile.mkdtemp())),
    "pull request": pr.pr_num if hasattr(pr, "pr_num") else None,
    "part": part == contents["part-1.bin"][123_456:124_456],
}))
`
    expect(await sandbox.run(script)).toEqual({
      folder: true,
      'large folder': true,
      'pull request': 1,
      part: true,
    })
  })
})
