/** The style sheet of the guides. Colours have the contrast of WCAG AA in the light and in the dark. */
export const GUIDE_STYLE = `
:root { color-scheme: light dark; --ground: #ffffff; --raised: #f3f5f7; --ink: #14202b; --line: #dde3e9; --accent: #0d6a4e; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #0e1318; --raised: #1c242c; --ink: #e9eef3; --line: #2a343e; --accent: #57cba3; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
nav { padding: 0.75rem 1.25rem; border-bottom: 1px solid var(--line); }
nav a { margin-right: 1.25rem; font-weight: 600; }
main { max-width: 52rem; margin: 0 auto; padding: 1rem 1.25rem 4rem; }
a { color: var(--accent); }
h1, h2 { line-height: 1.25; }
h2 { margin-top: 2.5rem; }
pre { overflow-x: auto; padding: 0.9rem 1rem; border-radius: 8px; background: var(--raised); }
code { font: 0.875rem/1.5 ui-monospace, monospace; background: var(--raised); padding: 0.1em 0.3em; border-radius: 4px; }
pre code { padding: 0; }
table { border-collapse: collapse; }
th, td { padding: 0.4rem 0.75rem; border: 1px solid var(--line); text-align: left; vertical-align: top; }
`;
