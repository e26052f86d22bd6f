import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chooseGguf, listGgufFiles } from '../../../../server/hub/weights/gguf-files.ts'
import { readGgufHeader } from '../../../../server/hub/weights/gguf-header.ts'
import { countParameters, filesOfIndex } from '../../../../server/hub/weights/safetensors-header.ts'
import { ggufFile } from '../../../helpers/weights.ts'

const pairs = {
  'general.architecture': 'llama',
  'llama.context_length': 4096,
  'tokenizer.ggml.tokens': ['<unk>', '<s>', '</s>'],
  'tokenizer.ggml.bos_token_id': 1,
  'tokenizer.ggml.eos_token_id': 2,
  'tokenizer.chat_template': '{{ messages }}',
}

describe('the header of a GGUF file', () => {
  test('names what the hub shows', () => {
    expect(readGgufHeader(ggufFile(pairs, [[10, 20], [5]]))).toEqual({
      total: 205,
      architecture: 'llama',
      context_length: 4096,
      chat_template: '{{ messages }}',
      bos_token: '<s>',
      eos_token: '</s>',
    })
  })

  test('may lack all but the architecture', () => {
    const header = { 'general.architecture': 'x', 'tokenizer.ggml.bos_token_id': 9 }
    expect(readGgufHeader(ggufFile(header))).toEqual({ total: 0, architecture: 'x' })
    expect(readGgufHeader(ggufFile({}))).toBeUndefined()
  })

  test('is short wherever its file is cut, and none where it is another file', () => {
    const whole = ggufFile(pairs, [[10, 20]])
    const length = whole.length - 64
    for (let end = 0; end < length; end += 1) {
      expect(readGgufHeader(whole.subarray(0, end))).toBe('short')
    }
    expect(readGgufHeader(Buffer.from('GGML and more'))).toBeUndefined()
    expect(
      readGgufHeader(Buffer.concat([Buffer.from('GGUF'), Buffer.alloc(40, 9)])),
    ).toBeUndefined()
  })

  test('with any changed byte is read to an end', () => {
    const whole = ggufFile(pairs, [[10, 20]])
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), (at, byte) => {
        const changed = Buffer.from(whole)
        changed[at] = byte
        expect(() => readGgufHeader(changed)).not.toThrow()
      }),
    )
  })
})

test('parameters of safetensors are counted by type', () => {
  const tensor = (dtype: string, shape: unknown) => ({ dtype, shape, data_offsets: [0, 1] })
  const count = (tensors: object) => countParameters(JSON.stringify(tensors))
  expect(
    count({
      __metadata__: {},
      a: tensor('F32', [2, 3]),
      b: tensor('I64', []),
      c: tensor('F32', [4]),
    }),
  ).toEqual(new Map(Object.entries({ F32: 10, I64: 1 })))
  for (const wrong of [{ a: 1 }, { a: tensor('F32', ['x']) }, { a: tensor('F32', [-1]) }, []]) {
    expect(count(wrong)).toBeUndefined()
  }
  expect(countParameters('{')).toBeUndefined()
  expect(
    filesOfIndex('{"weight_map":{"a":"1.safetensors","b":"2.safetensors","c":"1.safetensors"}}'),
  ).toEqual(['1.safetensors', '2.safetensors'])
})

describe('the GGUF files of a repo', () => {
  const paths = [
    'README.md',
    'mmproj-F16.gguf',
    'x-IQ3_XXS.gguf',
    'x-Q4_K_M.gguf',
    'x-UD-Q4_K_XL.gguf',
    'big/x-Q8_0-00001-of-00002.gguf',
    'big/x-Q8_0-00002-of-00002.gguf',
    'plain.gguf',
  ]
  const files = listGgufFiles(paths)
  const chosen = (tag?: string) => chooseGguf(files, tag)?.path

  test('have the quantization of their names', () => {
    expect(files.map(({ path, quantization }) => [path, quantization])).toEqual([
      ['x-IQ3_XXS.gguf', 'IQ3_XXS'],
      ['x-Q4_K_M.gguf', 'Q4_K_M'],
      ['x-UD-Q4_K_XL.gguf', 'UD-Q4_K_XL'],
      ['big/x-Q8_0-00001-of-00002.gguf', 'Q8_0'],
      ['plain.gguf', undefined],
    ])
  })

  test('are chosen by quantization, name, or as the hub prefers', () => {
    expect([chosen(), chosen('latest'), chosen('q4_k_m')]).toEqual(Array(3).fill('x-Q4_K_M.gguf'))
    expect(chosen('Q8_0')).toBe('big/x-Q8_0-00001-of-00002.gguf')
    expect(chosen('plain.gguf')).toBe('plain.gguf')
    expect(chosen('Q2_K')).toBeUndefined()
    expect(chooseGguf(listGgufFiles(['b-F16.gguf', 'a.gguf']))?.path).toBe('b-F16.gguf')
    expect(chooseGguf([])).toBeUndefined()
  })
})
