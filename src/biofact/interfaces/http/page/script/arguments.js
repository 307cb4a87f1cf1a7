// A form from the schema of a tool's arguments. What is wrong with values, the tool says best: the form lets them pass.

/** One argument: {element, value(), name}; value() is undefined where nothing is given. */
function field(name, schema, {isRequired, initial}) {
  const id = `argument-${name}`;
  const hint = [isRequired ? "required" : null, schema.description ?? null, range(schema), fallback(schema)];
  const words = hint.filter(Boolean).join(" \u00b7 ");
  const about = words ? element("span", {class: "hint", id: `${id}-hint`}, words) : null;
  const described = about ? `${id}-hint` : null;
  const control = controlOf(schema)(id, schema, initial, described);
  return {name, ...control, element: control.framed(name, about)};
}

function controlOf(schema) {
  if (schema.enum) return choice;
  if (schema.type === "boolean") return toggle;
  if (schema.type === "integer" || schema.type === "number") return number;
  if (schema.type === "string") return line;
  if (schema.type === "array" && schema.items?.enum) return choices;
  if (schema.type === "array" && schema.items?.type === "string") return lines;
  return json;
}

const range = ({minimum, maximum, minItems, maxItems}) => {
  if (maximum !== undefined) return `${minimum ?? "up"} to ${maximum}`;
  return maxItems === undefined ? null : `${minItems ?? 0} to ${maxItems}`;
};

const fallback = (schema) =>
  schema.default === undefined || schema.type === "boolean" || schema.enum ? null : `default ${schema.default}`;

/** A control under its label. */
function labelled(id, control, read) {
  const framed = (name, about) =>
    element("div", {class: "field"}, element("label", {for: id}, element("code", null, name), about), control);
  return {framed, focus: () => control.focus(), control, value: () => read(control.value)};
}

function input(id, initial, described, attributes) {
  const made = element("input", {id, autocomplete: "off", spellcheck: "false", "aria-describedby": described, ...attributes});
  made.value = initial ?? "";
  return made;
}

const line = (id, schema, initial, described) =>
  labelled(id, input(id, initial, described, {type: "text"}), (text) => text.trim() === "" ? undefined : text);

function number(id, schema, initial, described) {
  const control = input(id, initial, described, {type: "text", inputmode: schema.type === "integer" ? "numeric" : "decimal"});
  return labelled(id, control, (text) => {
    const written = text.trim();
    return written === "" ? undefined : Number.isNaN(Number(written)) ? written : Number(written);
  });
}

function choice(id, schema, initial, described) {
  const none = element("option", {value: ""}, schema.default === undefined ? "not given" : `${schema.default} (default)`);
  const options = schema.enum.map((value, place) => element("option", {value: place}, value));
  const control = element("select", {id, "aria-describedby": described}, none, ...options);
  const place = schema.enum.indexOf(initial);
  control.value = place < 0 ? "" : String(place);
  return labelled(id, control, (chosen) => chosen === "" ? undefined : schema.enum[Number(chosen)]);
}

function area(id, text, described) {
  const made = element("textarea", {id, spellcheck: "false", "aria-describedby": described});
  made.value = text;
  made.rows = Math.min(10, Math.max(3, text.split("\n").length));
  return made;
}

function lines(id, schema, initial, described) {
  const control = area(id, (initial ?? []).join("\n"), described);
  const shown = labelled(id, control, (text) => {
    const values = text.split("\n").map((row) => row.trim()).filter(Boolean);
    return values.length || initial ? values : undefined;
  });
  return {...shown, framed: (name, about) => shown.framed(name, join(about, "one a line", described))};
}

function json(id, schema, initial, described) {
  const control = area(id, initial === undefined ? "" : JSON.stringify(initial, null, 2), described);
  const shown = labelled(id, control, (text) => text.trim() === "" ? undefined : JSON.parse(text));
  return {...shown, framed: (name, about) => shown.framed(name, join(about, "as JSON", described))};
}

function join(about, words) {
  if (about === null) return element("span", {class: "hint"}, words);
  about.append(` \u00b7 ${words}`);
  return about;
}

function toggle(id, schema, initial, described) {
  const control = element("input", {id, type: "checkbox", "aria-describedby": described});
  const before = schema.default ?? false;
  control.checked = initial ?? before;
  const framed = (name, about) => element("div", {class: "field"},
    element("label", {class: "switch", for: id}, control, element("code", null, name), about));
  const value = () => control.checked === before && initial === undefined ? undefined : control.checked;
  return {framed, focus: () => control.focus(), control, value};
}

function choices(id, schema, initial, described) {
  const boxes = schema.items.enum.map((value, place) => {
    const box = element("input", {id: `${id}-${place}`, type: "checkbox"});
    box.checked = (initial ?? []).includes(value);
    return [value, box];
  });
  const options = boxes.map(([value, box]) => element("label", {class: "option", for: box.id}, box, value));
  const framed = (name, about) => element("fieldset", {class: "field", "aria-describedby": described},
    element("legend", null, element("code", null, name), " ", about), element("div", {class: "options"}, ...options));
  const value = () => {
    const chosen = boxes.filter(([, box]) => box.checked).map(([each]) => each);
    return chosen.length ? chosen : undefined;
  };
  return {framed, focus: () => boxes[0][1].focus(), control: boxes[0][1], value};
}

/** The arguments of a tool: {elements, values()}; those that few need stand folded away. */
function argumentsOf(tool, given) {
  const {properties = {}, required = []} = tool.input_schema;
  const fields = Object.entries(properties).map(([name, schema]) =>
    field(name, schema, {isRequired: required.includes(name), initial: given[name]}));
  const isShown = ({name}) => required.includes(name) || given[name] !== undefined;
  const others = fields.filter((one) => !isShown(one)).map((one) => one.element);
  const more = others.length
    ? element("details", {class: "more"}, element("summary", null, count(others.length, "more argument")), element("div", null, ...others))
    : null;
  const elements = [...fields.filter(isShown).map((one) => one.element), more].filter(Boolean);
  return {elements, values: () => valuesOf(fields)};
}

/** The values by name; null where one is no JSON, which is then marked and focused. */
function valuesOf(fields) {
  const values = {};
  let wrong = null;
  for (const {name, value, control, element: frame, focus} of fields) {
    frame.querySelector(".wrong")?.remove();
    control.removeAttribute("aria-invalid");
    try {
      const found = value();
      if (found !== undefined) values[name] = found;
    } catch (error) {
      control.setAttribute("aria-invalid", "true");
      frame.append(element("p", {class: "wrong", role: "alert"}, `This is no JSON: ${error.message}`));
      wrong ??= {frame, focus};
    }
  }
  if (wrong === null) return values;
  wrong.frame.closest("details")?.setAttribute("open", "");
  wrong.focus();
  return null;
}
