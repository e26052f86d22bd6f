// Headers of weights, as their tools write them.

type Value = string | number | readonly string[]

const u32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
const u64 = (value: number) => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}
const text = (value: string) => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)])

function typed(value: Value): Buffer {
  if (typeof value === 'string') return Buffer.concat([u32(8), text(value)])
  if (typeof value === 'number') return Buffer.concat([u32(4), u32(value)])
  return Buffer.concat([u32(9), u32(8), u64(value.length), ...value.map(text)])
}

/** Returns a GGUF file with these pairs, a tensor of each shape, and some bytes for their data. */
export function ggufFile(
  pairs: Readonly<Record<string, Value>>,
  shapes: readonly (readonly number[])[] = [],
): Buffer {
  const entries = Object.entries(pairs)
  return Buffer.concat([
    Buffer.from('GGUF'),
    u32(3),
    u64(shapes.length),
    u64(entries.length),
    ...entries.flatMap(([key, value]) => [text(key), typed(value)]),
    ...shapes.flatMap((shape, index) => [
      text(`t${index}`),
      u32(shape.length),
      ...shape.map(u64),
      u32(0),
      u64(0),
    ]),
    Buffer.alloc(64),
  ])
}

/** Returns a safetensors file with a tensor of each type and shape. */
export function safetensorsFile(
  tensors: readonly (readonly [string, readonly number[]])[],
): Buffer {
  const header = Object.fromEntries(
    tensors.map(([dtype, shape], index) => [`t${index}`, { dtype, shape, data_offsets: [0, 0] }]),
  )
  const json = Buffer.from(JSON.stringify({ __metadata__: { format: 'pt' }, ...header }))
  return Buffer.concat([u64(json.length), json])
}
