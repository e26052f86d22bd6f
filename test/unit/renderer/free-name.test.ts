import { expect, test } from 'vitest'
import { freeName } from '../../../renderer/features/repos/model/free-name.ts'

test('the proposed name of a repo is free among those of its type', () => {
  const repos = [
    { type: 'model', name: 'alice/my-model' },
    { type: 'model', name: 'alice/my-model-2' },
    { type: 'dataset', name: 'alice/my-dataset-2' },
    { type: 'space', name: 'bob/my-space' },
  ] as const
  expect(freeName('alice', 'model', repos)).toBe('alice/my-model-3')
  expect(freeName('alice', 'dataset', repos)).toBe('alice/my-dataset')
  expect(freeName('alice', 'space', repos)).toBe('alice/my-space')
})
