/** The page's whole style: 390 px to desktop, light and dark, in both directions of writing. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f4f4f5; --card: #fff; --text: #18181b; --faint: #52525b; --line: #d4d4d8;
  --accent: #1d4ed8; --on-accent: #fff; --warn: #92400e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #18181b; --card: #27272a; --text: #fafafa; --faint: #d4d4d8; --line: #52525b;
    --accent: #93c5fd; --on-accent: #172554; --warn: #fcd34d;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; background: var(--ground); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif;
}
header, main { max-width: 32rem; margin-inline: auto; padding-inline: 1rem; }
header {
  display: flex; justify-content: space-between; align-items: baseline; gap: 1rem; padding-block: 1.5rem 1rem;
}
header p { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
a { color: var(--accent); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1.5rem; }
h1 { margin: 0; font-size: 1rem; font-weight: 400; color: var(--faint); }
h2 { margin: .25rem 0 0; font-size: 1.375rem; line-height: 1.3; }
.amount { margin: .5rem 0 0; font-size: 2rem; font-weight: 600; line-height: 1.2; }
.problem { color: var(--warn); font-weight: 600; }
dl { margin: 1rem 0 0; }
dt { color: var(--faint); }
dd { margin: 0 0 .5rem; overflow-wrap: anywhere; }
ul { margin: 1.5rem 0 0; padding: 0; list-style: none; color: var(--faint); }
li { display: flex; justify-content: space-between; gap: 1rem; }
li bdi:first-child { overflow-wrap: anywhere; }
li bdi + bdi { white-space: nowrap; }
form { margin: 1.5rem 0 0; }
button {
  width: 100%; min-height: 3rem; border: 0; border-radius: .5rem; background: var(--accent);
  color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer;
}
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
`
