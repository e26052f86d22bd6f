import type { Page } from '@playwright/test'

/**
 * Finds what a window cuts off: the page or a dialog where it scrolls sideways, the page where it scrolls outside of its
 * main part, controls that lie outside of it or of a
 * part that hides what is beyond its edge, contents that stick out of their control, cut column heads and labels of charts.
 * Text that ends in an ellipsis is no finding, nor are tabs and code, which scroll in a frame of their own.
 */
export function findClipped(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    const wholes = 'html, #main, [role="dialog"], [role="alertdialog"]'
    for (const element of document.querySelectorAll(wholes)) {
      if (element.scrollWidth > element.clientWidth + 1) {
        found.push(
          `${element.id || element.role || 'page'} scrolls sideways by ${element.scrollWidth - element.clientWidth}`,
        )
      }
    }
    const { scrollHeight, clientHeight } = document.documentElement
    if (document.getElementById('main') !== null && scrollHeight > clientHeight + 1) {
      found.push(`page scrolls beside its main part by ${scrollHeight - clientHeight}`)
    }
    const tolerance = 1
    const isCut = (control: Element): boolean => {
      const box = control.getBoundingClientRect()
      if (box.width < 2 || box.height < 2) return false
      let right = window.innerWidth
      let left = 0
      for (let at = control.parentElement; at; at = at.parentElement) {
        const { overflowX, textOverflow, position } = getComputedStyle(at)
        if (at.matches('pre, [role="tablist"]')) return false
        if (overflowX !== 'visible' && textOverflow !== 'ellipsis') {
          const clip = at.getBoundingClientRect()
          right = Math.min(right, clip.right)
          left = Math.max(left, clip.left)
        } else if (overflowX !== 'visible') {
          // A shortened text shows at least its start.
          const clip = at.getBoundingClientRect()
          if (box.left < clip.right - 12 && box.left >= clip.left - tolerance) return false
        }
        if (position === 'fixed') break
      }
      return box.right > right + tolerance || box.left < left - tolerance
    }
    const controls = document.querySelectorAll(
      ':is(main, [role="dialog"], [role="alertdialog"]) :is(button, a[href], input, select, textarea, [role="tab"], [role="switch"]), header :is(button, a[href])',
    )
    for (const control of controls) {
      if (!control.checkVisibility({ opacityProperty: true })) continue
      if (control.closest('.sr-only') || control.getAttribute('aria-hidden') === 'true') continue
      if (control instanceof HTMLInputElement && control.tabIndex < 0) continue
      const name = (control.getAttribute('aria-label') ?? control.textContent ?? '').trim()
      const called = `${control.tagName.toLowerCase()} “${name.slice(0, 40)}”`
      if (isCut(control)) found.push(`${called} is cut`)
      // An inline box has no width of its own.
      if (/^inline$|^contents$/.test(getComputedStyle(control).display)) continue
      const { right } = control.getBoundingClientRect()
      const sticksOut = Array.from(control.querySelectorAll('*')).some((part) => {
        if (part.closest('.sr-only') || part.getBoundingClientRect().right <= right + 2)
          return false
        for (let at: Element | null = part; at; at = at === control ? null : at.parentElement) {
          if (at !== part && getComputedStyle(at).overflowX !== 'visible') return false
        }
        return true
      })
      if (sticksOut) found.push(`the contents of ${called} stick out of it`)
    }
    for (const head of document.querySelectorAll(
      'main :is([role="columnheader"], th[scope="col"])',
    )) {
      const isShort = [head, ...head.querySelectorAll('*')].some(
        (part) => part.clientWidth > 0 && part.scrollWidth > part.clientWidth + 1,
      )
      if (isShort && !head.querySelector('.sr-only')) {
        found.push(`the column head “${head.textContent ?? ''}” is cut`)
      }
    }
    for (const label of document.querySelectorAll('main svg text')) {
      const picture = label.closest('svg')?.getBoundingClientRect()
      const box = label.getBoundingClientRect()
      const isOutside = picture && (box.right > picture.right + 1 || box.left < picture.left - 1)
      if (isOutside) found.push(`the label “${label.textContent ?? ''}” of a picture is cut`)
    }
    return found
  })
}
