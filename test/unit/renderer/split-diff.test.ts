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

test('a path with other characters than ASCII is decoded', () => {
  const name = '"a/caf\\303\\251 \\"x\\".txt"'
  const after = name.replace('a/', 'b/')
  const added = `diff --git ${name} ${after}\n--- /dev/null\n+++ ${after}\n@@ -0,0 +1,1 @@\n+x\n`
  const empty = `diff --git ${name} ${after}\nnew file mode 100644\n`
  expect(splitDiff(added + empty).map(({ path }) => path)).toEqual(['café "x".txt', 'café "x".txt'])
})
