import { crc32 } from 'node:zlib'

/** Formats a CRC-32 as eight hex digits. */
export const formatChecksum = (sum: number): string => sum.toString(16).padStart(8, '0')

/** Returns the CRC-32 of a text as eight hex digits. */
export const checksumOf = (text: string): string => formatChecksum(crc32(text))
