// The challenge station: a 7-inch touch panel that leans back, before it a deck with the adjudication button, in front of the challenged player's hand.
// Body, deck, front and roof are four prints; the three plates carry blocks at their corners, screwed from outside through the body's side walls.
//
//            ___ roof        z ^
//          /    |              |    y: from the deck's front edge to the back wall; x: across, 0 in the middle
//   front /     |              |
//    ____/      |              +--> y
//   |deck       |
//   |___________|   back wall: the Pi's sockets (network; the printer's USB), and holes for the power lead and a serial printer's cable
//
// Players stand or sit before it, so the slope is steep. button "dome" is 60 mm, "arcade" 30 mm. part: see the end, and prints.toml.
include <numbers.scad>
include <pi.scad>
include <parts.scad>

part = "assembly";
button = "dome";
lean = 62;                                               // degrees from the table

// --- Sizes that follow ---------------------------------------------------------------------------------------------------------------------
seat = fit + 1.6;
block = [10, 11, 12];                                    // under a plate's corners: an M3 insert lies across it
front_long = max(panel_ears[1], panel_glass[1] + 2 * (seat + boss)) + 2 * (block[1] + wall + 2);
width = panel_glass[0] + 2 * (wall + seat + 1);
deck_wall = floor_thick + dome_depth + 1;                // the deck lies on it
deck_long = 80;
roof_long = (panel_depth + 8) * sin(lean);               // the panel's upper end has room behind it
deep = deck_long + front_long * cos(lean) + roof_long;
high = deck_wall + front_long * sin(lean);
lamp_x = 30;
side_z = 38;
pi_at = [20, deep - wall - 0.5 - pi_board[0], floor_thick];

assert(max(width, deep) <= biggest, str("The station would be ", width, " x ", deep, " mm, your printer makes ", biggest, ": take a smaller panel"));
assert(high <= bed, str("The station's back would be ", high, " mm high: lower lean"));
assert(lean >= 50 && lean <= 80, "lean is between 50 and 80 degrees: flatter mirrors the lamps above, steeper tips over");

hole = button == "dome" ? dome_hole : arcade;
flange = button == "dome" ? dome : arcade_flange;
deck = [width, deck_long - 3.5];
front = [width, front_long - 1.5];
roof = [width, roof_long - 0.5];
front_holes = concat([["window", panel_shift[0], panel_shift[1], panel_open, panel_open]],
    [for (x = [-lamp_x, lamp_x]) ["lamp", x, front[1] / 2 - 7, lamp_hole, lamp_flange]]);
deck_holes = [["button", 0, 0, hole, flange]];

// --- Plates ------------------------------------------------------------------------------------------------------------------------------------
// Places of the blocks along a plate: near both ends, or at the back of a short one.
function block_at(long) = long < 4 * block[1] ? [long / 2 - block[1] / 2 - wall - 1] : [-1, 1] * (long / 2 - block[1] / 2 - wall - 1);

// A plate whose middle is at 0, 0, underside at z = 0, with its blocks; the outer corners are square, they meet other plates.
module sided_plate(size) {
    difference() {
        linear_extrude(lid_thick) difference() { square(size, center = true); children(); }
        for (edge = [-1, 1]) translate([edge * size[0] / 2, 0, lid_thick]) rotate([0, 45, 0]) cube([2, 2 * size[1], 2], center = true);
    }
    for (edge = [-1, 1], y = block_at(size[1])) scale([edge, 1, 1]) translate([size[0] / 2 - wall - fit - block[0], y - block[1] / 2, -block[2]])
        difference() {
            cube([block[0], block[1], block[2] + 1]);
            translate([block[0] - m3_insert_deep, block[1] / 2, block[2] / 2]) rotate([0, 90, 0]) cylinder(d = m3_insert, h = 20);
        }
}

module deck_plate() { sided_plate(deck) circle(d = hole); }

module front_plate() {
    difference() {
        union() {
            sided_plate(front) { panel_window(); for (x = [-lamp_x, lamp_x]) translate([x, front[1] / 2 - 7]) circle(d = lamp_hole); }
            panel_seat();
        }
        panel_bevel();
    }
}

module roof_plate() { sided_plate(roof) for (x = [-40 : 8 : 40]) translate([x, 0]) square([3, roof[1] - 8], center = true); }

module on_deck() { translate([0, deck[1] / 2, deck_wall]) children(); }

module on_front() { translate([0, deck_long, deck_wall]) rotate([lean, 0, 0]) translate([0, front_long / 2 + 0.5, 0]) children(); }

module on_roof() { translate([0, deep - roof[1] / 2, high]) children(); }

// --- Body ----------------------------------------------------------------------------------------------------------------------------------------
module profile() { polygon([[0, 0], [deep, 0], [deep, high], [deep - roof_long, high], [deck_long, deck_wall], [0, deck_wall]]); }

module screw_holes(size) { for (y = block_at(size[1])) translate([0, y, -block[2] / 2]) rotate([0, 90, 0]) cylinder(d = m3_hole, h = 2 * width, center = true); }

module body() {
    difference() {
        rotate([90, 0, 90]) linear_extrude(width, center = true) profile();
        translate([-width / 2 + wall, wall, floor_thick]) cube([width - 2 * wall, deep - 2 * wall, high]);
        on_deck() screw_holes(deck);
        on_front() screw_holes(front);
        on_roof() screw_holes(roof);
        translate(pi_at) rotate(90) pi_socket_holes();
        translate([pi_at[0], pi_at[1], -1]) rotate(90) linear_extrude(floor_thick + 2) pi_vents();
        translate([0, deep, 0]) through_along_x() {
            for (x = [-62, 62]) translate([x, floor_thick + 2]) cable_hole();
            translate([0, high - 40]) vents(13, 16);
        }
        for (x = [-1, 1]) translate([x * width / 2, deck[1] / 2, side_z]) through_along_y() gabled(x > 0 ? key_hole : small_hole);
        translate([0, 0, -1]) linear_extrude(foot_sunk + 1)
            for (x = [-1, 1], y = [foot, deep - foot]) translate([x * (width / 2 - foot), y]) circle(d = foot + 2 * fit);
    }
    translate(pi_at) rotate(90) pi_posts();
    for (x = [-62, 62]) translate([x, deep - wall - 14, floor_thick]) rotate(90) cable_tie_bridge();
}

// --- All together ----------------------------------------------------------------------------------------------------------------------------------
module ghosts(i) {
    if (i == 0) translate(pi_at) rotate(90) pi_ghost();
    if (i == 1) { on_front() panel_ghost(); translate([-width / 2 + wall + 1, deck_long - 4, floor_thick + 0.01]) strip_board_on_edge(); }
    if (i == 2) on_deck() translate([0, 0, 0.01]) if (button == "dome") dome_ghost(lid_thick); else arcade_ghost(lid_thick);
    if (i == 3) translate([width / 2 - wall - 0.01, deck[1] / 2, side_z]) rotate(180) wall_ghost(key_nut, key_depth);
    if (i == 4) translate([-width / 2 + wall + 0.01, deck[1] / 2, side_z]) wall_ghost(small_nut, small_depth);
    if (i == 5) on_front() for (x = [-lamp_x, lamp_x]) translate([x, front[1] / 2 - 7, lid_thick + 0.01]) {
        translate([0, 0, -14]) cylinder(d = lamp_hole - 1, h = 17);
        cylinder(d = lamp_flange - 0.5, h = 1.5);
    }
}

module shell(i) {
    if (i == 0) body();
    if (i == 1) on_deck() deck_plate();
    if (i == 2) on_front() front_plate();
    if (i == 3) on_roof() roof_plate();
}

module plates() { for (i = [1 : 3]) shell(i); }

module assembly() {
    color("#3a4049") render() body();
    color("#565d6a") { on_deck() render() deck_plate(); on_front() render() front_plate(); on_roof() render() roof_plate(); }
    color("#1d232b") on_front() linear_extrude(0.4) panel_window();
    color("#e9e4d8") on_front() for (i = [-1, 1]) translate([i * 34, 12, 0.4]) linear_extrude(0.4) square([60, 16], center = true);
    color("#d8432f") ghosts(2);
    color("#c8a040") { ghosts(3); ghosts(4); }
    for (half = [["#58b368", -1], ["#d8432f", 1]]) color(half[0]) render() intersection() { ghosts(5); translate([half[1] * 100, 0, 0]) cube([200, 999, 999], center = true); }
}

// Plates and body touch without overlap; bought parts overlap neither them nor each other.
module clash() {
    for (i = [0 : 3]) intersection() { shell(i); for (j = [0 : 5]) ghosts(j); }
    for (i = [0 : 4], j = [1 : 5]) if (i < j) intersection() { ghosts(i); ghosts(j); }
    intersection() { body(); translate([0, -0.01, 0.01]) plates(); }
    intersection() { on_front() front_plate(); union() { on_deck() deck_plate(); on_roof() roof_plate(); } }
}

// For the tests: [plate or wall, its size, its holes].
echo(plates = [["front", front, front_holes], ["deck", deck, deck_holes],
    ["side-wall", [deck_long, deck_wall], shifted([["key", 0, side_z, key_hole, key_nut]], -deck_wall / 2)]]);

if (part == "body") body();
else if (part == "deck") rotate([180, 0, 0]) deck_plate();
else if (part == "front") rotate([180, 0, 0]) front_plate();
else if (part == "roof") rotate([180, 0, 0]) roof_plate();
else if (part == "clash") clash();
else if (part == "assembly") assembly();
else assert(false, str("No part of the station is called ", part));
