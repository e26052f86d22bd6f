import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { insertScript, variablesScript } from '../../../../server/lab/frames/insert-script.ts'

const script = '<script>1</script>'

/** Sends a page through the stream, in pieces of this many bytes. */
async function inserted(page: string | Buffer, size = 1_000_000): Promise<string> {
  const bytes = Buffer.from(page)
  const stream = insertScript(script)
  for (let at = 0; at < bytes.length; at += size) stream.write(bytes.subarray(at, at + size))
  stream.end()
  return (await buffer(stream)).toString()
}

describe('the script of a static Space', () => {
  test.each([
    ['<head> and more', '<!doctype html>\n<html lang="a>b"><head data-x=\'>\'>|<title>é</title>'],
    ['a comment that names <head>', '<!-- <head> -->\n<!DOCTYPE html><html>\n<HEAD>|</HEAD>'],
    ['a byte order mark', '\uFEFF<html><head>|</head>'],
    ['no <head>', '<!doctype html>|<p></p>'],
    ['no <head>, but <header>', '<html>|<header>a</header>'],
    ['only text', '|Hello'],
    ['an unfinished tag', '<!doctype html>|<head'],
    ['an unfinished comment', '<html>|<!-- a'],
    ['nothing', '|'],
  ])('is the first of a page with %s', async (_name, page) => {
    for (const size of [1, 7, 1_000_000]) {
      expect(await inserted(page.replace('|', ''), size)).toBe(page.replace('|', script))
    }
  })

  test('does not wait for the end of a long comment', async () => {
    const page = `<!doctype html><!--${'a'.repeat(20_000)}--><head>`
    expect(await inserted(page, 1000)).toBe(page.replace('<!--', `${script}<!--`))
  })

  test('does not wait for the rest of a page', async () => {
    const stream = insertScript(script)
    stream.write('<html><head>')
    expect(String(stream.read())).toBe(`<html><head>${script}`)
  })

  test('leaves a page in UTF-16 unchanged', async () => {
    const page = Buffer.from('\uFEFF<html><head>', 'utf16le')
    expect(await inserted(page)).toBe(page.toString())
  })

  test('ends nowhere but at its end, whatever the variables are', () => {
    const variables = { 'a</script>': '<!--\u2028\u2029é"\\\n' }
    const made = variablesScript(variables)
    expect(made).toMatch(
      /^<script>window\.huggingface=\{variables:[^<>\u0080-\uFFFF]*\};<\/script>$/,
    )
    const json = made.slice('<script>window.huggingface={variables:'.length, -'};</script>'.length)
    expect(JSON.parse(json)).toEqual(variables)
  })
})
