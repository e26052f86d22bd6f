import { describe, expect, test } from 'vitest'
import type { FixturesFile } from '../../server/contract/fixtures-types.ts'
import { openPull } from '../../server/fixtures/pull/open-pull.ts'
import { fetchBytes } from '../../server/web/outgoing/fetch-bytes.ts'
import { preparePythonSandbox } from '../helpers/python-sandbox.ts'
import { startTestSandbox } from '../helpers/sandbox.ts'
import { noise } from '../helpers/xet-files.ts'

const name = 'tiny/bert'
const hubFixtures: FixturesFile = {
  organizations: [{ name: 'tiny' }],
  repos: [
    {
      name,
      tags: ['v1'],
      files: {
        'README.md': '---\nlicense: mit\n---\n# bert\n',
        'config.json': '{"model_type": "bert"}',
        'small.bin': { base64: noise(40_000).toString('base64'), lfs: true },
        'model.safetensors': { base64: noise(5_000_000).toString('base64'), lfs: true },
        'data/vocab.txt': 'word\n'.repeat(100_000),
      },
    },
  ],
}

/** Downloads a repo at a tag, and reads its size and SHA-256 by path. */
const download = `
import hashlib, json, os, tempfile
from huggingface_hub import HfApi, snapshot_download
cache = tempfile.mkdtemp()
folder = snapshot_download("${name}", revision="v1", cache_dir=cache)
found = {}
for root, _, names in os.walk(folder):
    for name in names:
        path = os.path.join(root, name)
        with open(path, "rb") as file:
            content = file.read()
        found[os.path.relpath(path, folder)] = [len(content), hashlib.sha256(content).hexdigest()]
api = HfApi()
verified = api.verify_repo_checksums("${name}", revision="v1", cache_dir=cache) if hasattr(api, "verify_repo_checksums") else None
print(json.dumps({
    "files": found,
    "mismatches": len(verified.mismatches) if verified else 0,
    "sizes": {file.rfilename: file.size for file in api.model_info("${name}", files_metadata=True).siblings},
}))
`

interface Downloaded {
  files: Record<string, [size: number, sha256: string]>
  mismatches: number
  sizes: Record<string, number>
}

describe.each(['2.4.0', '1.33.0', '0.36.2'])('huggingface_hub %s', (version) => {
  const python = preparePythonSandbox(version, ['hf_xet==1.8.0'])

  test.each(['0', '1'])('downloads a pulled repo as from its Hub (Xet off: %s)', async (noXet) => {
    const hub = await startTestSandbox({ fixtures: hubFixtures })
    const pull = await openPull(
      { fetch: fetchBytes, sleep: async () => {}, now: Date.now, say() {} },
      { name: 'hub.json', text: undefined, schema: '', hub: hub.url, cacheFolder: undefined },
    )
    const { text } = await pull.add([name], { maxFile: '100KB' })
    const copy = await startTestSandbox({ fixtures: JSON.parse(text) as FixturesFile })
    const [before, after] = await Promise.all(
      [hub.url, copy.url].map((url) =>
        python.run<Downloaded>(download, undefined, {
          HF_ENDPOINT: url,
          HF_TOKEN: undefined,
          HF_HUB_DISABLE_XET: noXet,
        }),
      ),
    )
    expect(before?.mismatches).toBe(0)
    expect(after?.mismatches).toBe(0)
    const differ = ['model.safetensors', 'data/vocab.txt', '.gitattributes']
    const same = ({ files }: Downloaded) =>
      Object.entries(files).filter(([path]) => !differ.includes(path))
    expect(after && same(after)).toEqual(before && same(before))
    for (const path of differ.slice(0, 2)) {
      expect([path, after?.files[path]?.[0]]).toEqual([path, before?.files[path]?.[0]])
      expect(after?.files[path]?.[1]).not.toBe(before?.files[path]?.[1])
      expect([path, after?.sizes[path]]).toEqual([path, before?.sizes[path]])
    }
  })
})
