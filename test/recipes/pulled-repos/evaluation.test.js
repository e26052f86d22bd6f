import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prepare } from './evaluation.js'

test('reads the model, the dataset and the Space', async () => {
  const { config, files, sdk } = await prepare()
  assert.equal(config.model_type, 'bert')
  assert.ok(files.some(({ path, size }) => path.includes('train') && size > 0))
  assert.equal(sdk, 'gradio')
})
