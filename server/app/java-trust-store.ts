import { createHash } from 'node:crypto'

const magic = 0xfeedfeed
const version = 2
const trustedCertificate = 2
/** Java checks the integrity of a store only with a password, which reading certificates does not need. */
const password = 'changeit'

/**
 * Returns a Java trust store (JKS) with these certificates. Java reads no PEM files, and this format has no dependencies.
 * @param texts with certificates, PEM
 */
export function javaTrustStore(texts: readonly string[]): Buffer {
  const blocks = texts.flatMap(
    (pem) => pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [],
  )
  const certificates = blocks.map((block) =>
    Buffer.from(block.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64'),
  )
  const entries = certificates.flatMap((certificate, index) => [
    int(trustedCertificate),
    text(`hub-sandbox-${index + 1}`),
    // Time of the entry, which nothing reads.
    Buffer.alloc(8),
    text('X.509'),
    int(certificate.length),
    certificate,
  ])
  const body = Buffer.concat([int(magic), int(version), int(certificates.length), ...entries])
  const digest = createHash('sha1')
    .update(Buffer.from(password, 'utf16le').swap16())
    .update('Mighty Aphrodite')
    .update(body)
    .digest()
  return Buffer.concat([body, digest])
}

function int(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** Text with its length in two bytes, as `DataOutput.writeUTF` writes ASCII. */
function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'latin1')
  const length = Buffer.alloc(2)
  length.writeUInt16BE(bytes.length)
  return Buffer.concat([length, bytes])
}
