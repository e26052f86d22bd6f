import { callApi } from '../../../api/client.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { Button } from '../../../ui/button.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { notifyFailure } from '../../../ui/toast.tsx'
import { words } from '../words.ts'

const formats = ['sarif', 'junit', 'markdown', 'json'] as const

/** Saves the findings for a pipeline. */
export function ReportMenu() {
  return (
    <Menu
      trigger={<Button icon="download">{words.exportAs}</Button>}
      items={formats.map((format) => ({
        label: words[format],
        onSelect: () => void save(format),
      }))}
    />
  )
}

async function save(format: (typeof formats)[number]): Promise<void> {
  try {
    const { filename, text } = await callApi('GET advice/report', { query: { format } })
    saveFile(filename, new Blob([text], { type: 'text/plain' }))
  } catch (error) {
    notifyFailure(words.exportFailed, error)
  }
}
