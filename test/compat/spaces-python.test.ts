import { expect, test } from 'vitest'
import { preparePythonSandbox } from '../helpers/python-sandbox.ts'

const sandbox = preparePythonSandbox()

test('huggingface_hub reads logs and quota of Spaces, and searches them', async () => {
  const seen = await sandbox.run<{ logs: string[]; run: string[]; base: number; found: string[] }>(`
import json
from huggingface_hub import HfApi
api = HfApi()
api.create_repo("alice/painter", repo_type="space", space_sdk="docker")
quota = api.get_zero_gpu_quota()
print(json.dumps({
  "logs": list(api.fetch_space_logs("alice/painter", build=True)),
  "run": list(api.fetch_space_logs("alice/painter")),
  "base": quota.remaining,
  "found": [space.id for space in api.search_spaces("painter")],
}))`)
  expect(seen.logs[0]).toMatch(/^===== Build Queued at /)
  expect(seen.run[0]).toMatch(/^===== Application Startup at /)
  expect(seen.base).toBe(3600)
  expect(seen.found[0]).toBe('alice/painter')
})
