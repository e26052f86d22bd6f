import { expect, test } from 'vitest'
import { splitDiff } from '../../../renderer/features/repos/model/split-diff.ts'

const changed = `diff --git a/a b.txt b/a b.txt
--- a/a b.txt
+++ b/a b.txt
@@ -1,2 +1,2 @@
-old
---- a/not a header
+new
+diff is a word
`
const deleted = `diff --git a/gone.txt b/gone.txt
deleted file mode 100644
--- a/gone.txt
+++ /dev/null
@@ -1,1 +0,0 @@
-x
`
const binary = `diff --git a/i.bin b/i.bin
new file mode 100644
Binary files /dev/null and b/i.bin differ
`

test('a diff is split into its files, with the lines below their headers', () => {
  expect(splitDiff(changed + deleted + binary)).toEqual([
    {
      path: 'a b.txt',
      lines: ['@@ -1,2 +1,2 @@', '-old', '---- a/not a header', '+new', '+diff is a word'],
    },
    { path: 'gone.txt', lines: ['@@ -1,1 +0,0 @@', '-x'] },
    { path: 'i.bin', lines: ['Binary files /dev/null and b/i.bin differ'] },
  ])
})

test('no diff has no files', () => {
  expect(splitDiff('')).toEqual([])
})
