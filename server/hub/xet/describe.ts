import { groupBy } from '../../core/group-by.ts'
import type {
  BatchReconstructionResponse,
  FileChunkHashesResponse,
  ReconstructionResponse,
  ReconstructionV2Response,
} from '../../contract/hub-xet.ts'
import type { ByteRange } from '../files/byte-ranges.ts'
import { hashText } from './hashes.ts'
import type { Reconstruction, ReconstructionTerm } from './reconstruction.ts'
import type { FileWindows } from './windows.ts'

/** Returns the URL of a part of a xorb. */
type UrlOf = (xorb: string, part: ByteRange) => string
type Terms = ReconstructionResponse['terms']
type Places = ReconstructionResponse['fetch_info']

/** Describes a reconstruction as version 1 of the API does. */
export function describeReconstruction(
  found: Reconstruction,
  urlOf: UrlOf,
): ReconstructionResponse {
  return {
    offset_into_first_range: found.skipped,
    terms: termsOf(found),
    fetch_info: placesOf(found.terms, urlOf),
  }
}

/** Describes a reconstruction as version 2 of the API does. */
export function describeReconstructionV2(
  found: Reconstruction,
  urlOf: UrlOf,
): ReconstructionV2Response {
  const xorbs = Object.entries(placesOf(found.terms, urlOf)).map(([xorb, places]) => {
    const described = places.map(({ url, range, url_range }) => ({
      url,
      ranges: [{ chunks: range, bytes: url_range }],
    }))
    return [xorb, described] as const
  })
  return {
    offset_into_first_range: found.skipped,
    terms: termsOf(found),
    xorbs: Object.fromEntries(xorbs),
  }
}

/** Describes the reconstructions of several files, by their hashes. */
export function describeReconstructions(
  found: ReadonlyMap<string, Reconstruction>,
  urlOf: UrlOf,
): BatchReconstructionResponse {
  const files = [...found].map(([hash, one]) => [hash, termsOf(one)] as const)
  const terms = [...found.values()].flatMap((one) => one.terms)
  return { files: Object.fromEntries(files), fetch_info: placesOf(terms, urlOf) }
}

/** Describes the windows of a file that is edited. */
export function describeWindows(
  { chunks, windows, gaps, proofs }: FileWindows,
  fileSize: number,
): FileChunkHashesResponse {
  return {
    totalChunks: chunks,
    fileSize,
    windows: windows.map(({ start, end }) => ({ dirtyByteRange: [start, end] })),
    hashRanges: gaps.map((gap) =>
      gap === undefined
        ? null
        : {
            nodes: gap.nodes.map(({ hash, length }) => ({ hash: hashText(hash), size: length })),
            levels: gap.levels.map(([left, right]) => [left, right]),
            at_start: gap.atStart,
            at_end: gap.atEnd,
          },
    ),
    gapVerification: [...proofs],
  }
}

function termsOf({ terms }: Reconstruction): Terms {
  return terms.map(({ xorb, start, end, bytes }) => ({
    hash: xorb,
    range: { start, end },
    unpacked_length: bytes,
  }))
}

/** Lists where the chunks of each xorb are, each chunk once: clients read no ranges that overlap. */
function placesOf(terms: Reconstruction['terms'], urlOf: UrlOf): Places {
  const byXorb = groupBy(terms, ({ xorb }) => xorb)
  const places = Array.from(byXorb, ([xorb, ofXorb]) => {
    const parts = joined(ofXorb).map(({ start, end, sent }) => ({
      range: { start, end },
      url: urlOf(xorb, sent),
      url_range: { start: sent.first, end: sent.last },
    }))
    return [xorb, parts] as const
  })
  return Object.fromEntries(places)
}

/** Joins the ranges of chunks of one xorb that overlap. */
function joined(
  terms: Reconstruction['terms'],
): Pick<ReconstructionTerm, 'start' | 'end' | 'sent'>[] {
  const ranges: Pick<ReconstructionTerm, 'start' | 'end' | 'sent'>[] = []
  for (const { start, end, sent } of terms.toSorted((a, b) => a.start - b.start)) {
    const last = ranges.at(-1)
    if (last === undefined || start >= last.end) ranges.push({ start, end, sent })
    else if (end > last.end) {
      ranges[ranges.length - 1] = {
        start: last.start,
        end,
        sent: { first: last.sent.first, last: sent.last },
      }
    }
  }
  return ranges
}
