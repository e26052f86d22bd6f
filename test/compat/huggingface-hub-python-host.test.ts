import { expect, test } from 'vitest'
import { preparePythonSandbox } from '../helpers/python-sandbox.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'

const sandbox = preparePythonSandbox()

// A container finds the sandbox by the name of its service, which this machine does not know.
const script = (port: string) => `
import json, os, socket, tempfile
find = socket.getaddrinfo
socket.getaddrinfo = lambda host, *rest, **more: find("127.0.0.1" if host == "hub" else host, *rest, **more)
os.environ["HF_ENDPOINT"] = "http://hub:${port}"
from huggingface_hub import HfApi, hf_hub_download
from huggingface_hub.utils import paginate
api = HfApi()
seen = {"created": str(api.create_repo("alice/by-service-name"))}
content = os.urandom(300_000)
done = api.upload_file(path_or_fileobj=content, path_in_repo="weights.bin", repo_id="alice/by-service-name")
seen["commit"] = done.commit_url
seen["again"] = str(api.create_repo("alice/by-service-name", exist_ok=True))
with open(hf_hub_download("alice/by-service-name", "weights.bin"), "rb") as file:
    seen["same"] = file.read() == content
seen["large"] = [it.path for it in api.get_paths_info("alice/by-service-name", ["weights.bin"]) if it.lfs]
for number in range(3):
    api.create_repo(f"alice/page-{number}")
one_on_a_page = {"author": "alice", "search": "page-", "limit": 1}
listed = paginate(f"{api.endpoint}/api/models", params=one_on_a_page, headers=api._build_hf_headers())
seen["pages"] = sorted(it["id"] for it in listed)
print(json.dumps(seen))
`

test('huggingface_hub works under a host name of --allow-host', async () => {
  const { url } = await startTestSandbox({ allowHost: 'hub' })
  const { port } = new URL(url)
  const root = `http://hub:${port}/alice/by-service-name`
  // hf_xet is no Python: it would ask this machine for the name.
  const env = { HF_HUB_DISABLE_XET: '1' }
  expect(await sandbox.run(script(port), undefined, env)).toEqual({
    created: root,
    again: root,
    commit: expect.stringMatching(`^${root}/commit/`) as string,
    same: true,
    large: ['weights.bin'],
    pages: ['alice/page-0', 'alice/page-1', 'alice/page-2'],
  })
})
