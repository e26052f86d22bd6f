import { useMutation } from '@tanstack/react-query'
import type { FlowDetail, FlowText } from '../../../../server/contract/control-flows.ts'
import { callApi } from '../../../api/client.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { copyText } from '../../../ui/copy.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { saveFile } from '../../../lib/save-file.ts'
import { drawPng, drawSvg } from './diagram/export-drawing.tsx'
import { useReport } from '../../../shared/use-report.ts'
import { words as sharedWords } from '../../../shared/words.ts'
import { words } from '../words.ts'

/** Exports of a flow. */
export function ExportMenu({ flow }: { flow: FlowDetail }) {
  const params = { id: flow.id }
  const name = `sign-in-${flow.id}`
  const save = useMutation({
    mutationFn: async (make: () => Promise<readonly [string, Blob]>) => saveFile(...(await make())),
    meta: { failed: words.exportFailed },
  })
  const report = useReport()
  const copy = useMutation({
    mutationFn: () => callApi('GET flows/:id/mermaid', { params }),
    onSuccess: ({ text }) => copyText(text, 'Mermaid text'),
    meta: { failed: words.exportFailed },
  })
  const files: readonly (readonly [string, () => Promise<readonly [string, Blob]>])[] = [
    ['Picture (SVG)', async () => [`${name}.svg`, asBlob(drawSvg(flow), 'image/svg+xml')]],
    ['Picture (PNG)', async () => [`${name}.png`, await drawPng(flow)]],
    ['Mermaid file', async () => asFile(await callApi('GET flows/:id/mermaid', { params }))],
    [
      'HTTP Archive (HAR)',
      async () => {
        const har = await callApi('GET flows/:id/har', { params })
        return [`${name}.har`, asBlob(JSON.stringify(har, null, 2), 'application/json')]
      },
    ],
    ['As a test (vitest)', async () => asFile(await callApi('GET flows/:id/test', { params }))],
  ]
  // Without parameters: the recipient has another list.
  const address = `${window.location.origin}${import.meta.env.BASE_URL}sign-ins/${encodeURIComponent(flow.id)}`
  return (
    <>
      <IconButton
        icon="connected"
        label="Copy link"
        size="small"
        onClick={() => void copyText(address, 'Link')}
      />
      <Menu
        trigger={
          <Button
            size="small"
            icon="download"
            busy={save.isPending || copy.isPending || report.isPending}
          >
            Export
          </Button>
        }
        items={[
          {
            label: sharedWords.htmlReport,
            onSelect: () => report.mutate(() => callApi('GET flows/:id/report', { params })),
          },
          ...files.map(([label, make]) => ({ label, onSelect: () => save.mutate(make) })),
          { label: 'Copy as Mermaid', onSelect: () => copy.mutate() },
        ]}
      />
    </>
  )
}

function asFile({ filename, text }: FlowText): readonly [string, Blob] {
  return [filename, asBlob(text, 'text/plain')]
}

function asBlob(text: string, type: string): Blob {
  return new Blob([text], { type: `${type};charset=utf-8` })
}
