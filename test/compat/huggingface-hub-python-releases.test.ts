import { describe, expect, test } from 'vitest'
import { preparePythonSandbox } from '../helpers/python-sandbox.ts'

/** Releases between those with tests of their own; up to 0.9 they send a commit as one JSON object. */
const releases = ['0.9.1', '0.12.1', '0.17.3', '0.23.5', '0.30.2', '1.0.1', '1.15.0', '1.33.0']

const script = `
import json, os, tempfile
from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi, hf_hub_download, snapshot_download
token = os.environ["HF_TOKEN"]
api = HfApi()
repo = "alice/release"
folder = tempfile.mkdtemp()
os.mkdir(os.path.join(folder, "sub"))
weights = os.urandom(70_000)
for name, content in [("a.txt", b"a"), ("sub/b.txt", b"b"), ("weights.bin", weights)]:
    with open(os.path.join(folder, name), "wb") as file:
        file.write(content)
api.create_repo(repo, token=token)
api.upload_folder(repo_id=repo, folder_path=folder, path_in_repo="", token=token)
api.create_commit(
    repo_id=repo,
    operations=[CommitOperationAdd("c.txt", b"c"), CommitOperationDelete("a.txt")],
    commit_message="Change",
    token=token,
)
api.upload_file(path_or_fileobj=b"p", path_in_repo="p.txt", repo_id=repo, create_pr=True, token=token)

def content(path):
    with open(path, "rb") as file:
        return file.read()

seen = {"files": sorted(api.list_repo_files(repo))}
seen["sha"] = api.model_info(repo, revision="main").sha == api.model_info(repo).sha
seen["text"] = content(hf_hub_download(repo, "sub/b.txt")).decode()
seen["weights"] = content(hf_hub_download(repo, "weights.bin")) == weights
seen["pull request"] = content(hf_hub_download(repo, "p.txt", revision="refs/pr/1")).decode()
seen["snapshot"] = sorted(os.listdir(snapshot_download(repo)))
api.delete_repo(repo, token=token)
print(json.dumps(seen))
`

describe.each(releases)('huggingface_hub %s', (release) => {
  const sandbox = preparePythonSandbox(release)

  test('creates, fills, changes, downloads and deletes a repo', async () => {
    const seen = await sandbox.run(script)
    expect(seen).toEqual({
      files: ['.gitattributes', 'c.txt', 'sub/b.txt', 'weights.bin'],
      sha: true,
      text: 'b',
      weights: true,
      'pull request': 'p',
      snapshot: ['.gitattributes', 'c.txt', 'sub', 'weights.bin'],
    })
  })
})
