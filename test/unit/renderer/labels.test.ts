import { expect, test } from 'vitest'
import { words as appWords } from '../../../renderer/features/apps/words.ts'
import { words as tokenWords } from '../../../renderer/features/tokens/words.ts'

test('the section and the table of token permissions have different names', () => {
  expect(tokenWords.permissionsByOwner).not.toBe(tokenWords.permissions)
})

test('buttons for the secret of an app have the name of their confirmation', () => {
  expect(appWords.newSecret).toBe(appWords.replaceSecret)
  expect(appWords.removeSecret).toBe(appWords.removeSecretAction)
})
