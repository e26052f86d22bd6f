import { describe, expect, test } from 'vitest'
import { preparePythonSandbox } from '../helpers/python-sandbox.ts'

const upload = `
import json, os, tempfile, time
from huggingface_hub import HfApi
api = HfApi()
repo = "alice/with-xet"
api.create_repo(repo)
folder = tempfile.mkdtemp()
path = os.path.join(folder, "weights.bin")
with open(path, "wb") as file:
    file.write(os.urandom(300_000))

def told(upload):
    try:
        upload()
    except Exception as error:
        return str(error)

seen = {
    "file": told(lambda: api.upload_file(path_or_fileobj=path, path_in_repo="w.bin", repo_id=repo)),
    "folder": told(lambda: api.upload_folder(folder_path=folder, repo_id=repo)),
    "pull request": told(lambda: api.upload_file(path_or_fileobj=path, path_in_repo="w.bin", repo_id=repo, create_pr=True)),
}
seen["files"] = api.list_repo_files(repo)
print(json.dumps(seen))
`

// As pip installs them, without what `env` sets.
const withXet = { HF_HUB_DISABLE_XET: undefined }

describe('huggingface_hub that uploads large files by Xet alone', () => {
  const sandbox = preparePythonSandbox(undefined, ['hf_xet==1.8.0'])

  test('tells what to set, with the first request', async () => {
    const hint = expect.stringContaining('set/HF_HUB_DISABLE_XET=1') as string
    expect(await sandbox.run(upload, undefined, withXet)).toEqual({
      file: hint,
      folder: hint,
      'pull request': hint,
      files: ['.gitattributes'],
    })
    const list = await fetch(`${sandbox.url}/_sandbox/api/requests?route=*xet-write-token*`)
    const { items } = (await list.json()) as { items: object[] }
    expect(items).toHaveLength(3)
  })

  test('uploads by Git LFS with HF_HUB_DISABLE_XET', async () => {
    expect(await sandbox.run(upload)).toMatchObject({
      file: null,
      files: ['.gitattributes', 'w.bin', 'weights.bin'],
    })
  })
})

describe('huggingface_hub that asks the server about Xet', () => {
  const sandbox = preparePythonSandbox('1.15.0', ['hf_xet==1.8.0'])

  test('falls back to Git LFS', async () => {
    expect(await sandbox.run(upload, undefined, withXet)).toEqual({
      file: null,
      folder: null,
      'pull request': null,
      files: ['.gitattributes', 'w.bin', 'weights.bin'],
    })
  })
})
