// The clock with two LED displays instead of a panel: one box, a button at either end, and between them a ridge with a display in each slope,
// facing each player. part: see the end, and prints.toml.
//
// The lid prints as it stands: the ridge's slopes are steep enough to need no supports.
include <numbers.scad>
include <pi.scad>
include <parts.scad>

part = "assembly";

tall = floor_thick + dome_depth + 1;
size = [112, 206];
dome_y = size[1] / 2 - dome / 2 - 6;
row_z = 28;
pi_at = [size[0] / 2 - wall - 0.5 - pi_board[0], 4 - pi_board[1] / 2, floor_thick];

// --- The ridge: its cross-section lies in y and z ---------------------------------------------------------------------------------------
slope = led_board[1] + 15;                               // 7 over the board, so that the two do not meet at the top; 8 below it
skin = 3;                                                // the digits' block stands 4 mm out of it
crest = 3;                                               // half of the flat top
ridge_y = crest + slope * cos(led_lean);
ridge_z = slope * sin(led_lean);
ridge_x = led_board[0] + 2 * (fit + 2 + skin);

assert(size[1] <= biggest, "The box is longer than the printer's bed");
assert(ridge_y + 2 < dome_y - dome / 2, "The ridge runs into the buttons: steepen led_lean");
assert(led_lean >= 45, "A ridge flatter than 45 degrees needs supports");

lid_holes = concat([for (at = lid_screws(size)) ["screw", at[0], at[1], m3_hole, m3_head]],
    [["window", 0, 0, [ridge_x, 2 * ridge_y], [ridge_x, 2 * ridge_y]], ["dome", 0, dome_y, dome_hole, dome], ["dome", 0, -dome_y, dome_hole, dome]]);
wall_holes = [["lead", -62, floor_thick + 2 + plug_hole[1] / 2, plug_hole, plug_hole], ["power", 62, row_z, small_hole, small_nut]];

module ridge_shape() { polygon([[-ridge_y, 0], [ridge_y, 0], [crest, ridge_z], [-crest, ridge_z]]); }

// Extrudes a cross-section along x, its middle at 0.
module along_x(long) { rotate([90, 0, 90]) linear_extrude(long, center = true) children(); }

// Brings a child to the inner face of the slope that looks along -y: its x stays, its y runs up the slope from the board's middle, its z looks outwards.
module on_slope() {
    translate([0, -ridge_y, lid_thick]) rotate([led_lean, 0, 0]) translate([0, 8 + led_board[1] / 2, -skin]) children();
}

module lid() {
    difference() {
        union() {
            plate(size, lid_screws(size)) for (y = [-dome_y, dome_y]) translate([0, y]) circle(d = dome_hole);
            translate([0, 0, lid_thick - 1]) linear_extrude(1) square([ridge_x, 2 * ridge_y], center = true);
            translate([0, 0, lid_thick]) along_x(ridge_x) ridge_shape();
        }
        translate([0, 0, lid_thick]) along_x(ridge_x - 2 * skin) {
            offset(delta = -skin) ridge_shape();
            low = ridge_y - skin / sin(led_lean) - skin / tan(led_lean);
            translate([-low, -lid_thick - 1]) square([2 * low, lid_thick + skin + 1.01]);
        }
        for (turn = [0, 180]) rotate(turn) on_slope() translate([0, 0, skin / 2])
            cube([led_block[0] + 2 * fit, led_block[1] + 2 * fit, skin + 4], center = true);
    }
    // Rails that keep each board in the middle of its window; two dabs of hot glue hold it.
    for (turn = [0, 180], side = [-1, 1]) rotate(turn) intersection() {
        on_slope() translate([side * (led_board[0] / 2 + fit + 1.5) - 1.5, -led_board[1] / 2, -2.5]) cube([3, led_board[1], 3.5]);
        translate([0, 0, lid_thick]) along_x(ridge_x) ridge_shape();
    }
}

module box() {
    difference() {
        union() {
            tub(size, tall) translate([pi_at[0], pi_at[1]]) pi_vents();
            translate(pi_at) pi_posts();
            translate([-size[0] / 2 + wall + 14, -62, floor_thick]) cable_tie_bridge();
        }
        translate(pi_at) pi_socket_holes();
        translate([size[0] / 2, 0, 0]) through_along_y() translate([0, tall - 18]) vents(13, 10);
        translate([-size[0] / 2, 0, 0]) through_along_y() {
            translate([0, tall - 18]) vents(13, 10);
            translate([-62, floor_thick + 2]) cable_hole();
            translate([62, row_z]) gabled(small_hole);
        }
    }
}

module led_ghost() {
    translate([0, 0, -0.01]) {
        translate([0, 0, -0.8]) cube([led_board[0], led_board[1], 1.6], center = true);
        translate([0, 0, 3.5 - 0.8]) cube([led_block[0], led_block[1], 7], center = true);
        translate([-led_board[0] / 2 + 2, -led_board[1] / 2, -led_thick + 7]) cube([led_board[0] - 4, led_board[1] / 2, led_thick - 7 - 1.6]);
    }
}

// The strip board stands on its edge along the wall, on foam tape.
module board_on_edge() { translate([-size[0] / 2 + wall + 1, -50, floor_thick + 0.01]) strip_board_on_edge(); }

module ghosts(i) {
    if (i == 0) translate(pi_at) pi_ghost(pi_plug_turned);
    if (i == 1) { translate([0, 0, tall + 0.01]) on_slope() led_ghost(); board_on_edge(); }
    if (i == 2) translate([0, 0, tall + 0.01]) rotate(180) on_slope() led_ghost();
    if (i == 3) translate([-size[0] / 2 + wall + 0.01, 62, row_z]) wall_ghost(small_nut, small_depth);
    if (i == 4) for (y = [-dome_y, dome_y]) translate([0, y, tall + 0.01]) dome_ghost(lid_thick);
}

module shell(i) { if (i == 0) box(); else translate([0, 0, tall]) lid(); }

module assembly() {
    color("#3a4049") render() box();
    color("#565d6a") render() translate([0, 0, tall]) lid();
    color("#e0402c") for (turn = [0, 180]) translate([0, 0, tall + 0.01]) rotate(turn) on_slope() led_ghost();
    color("#c8a040") ghosts(3);
    color("#d8432f") ghosts(4);
}

module clash() {
    for (i = [0, 1]) intersection() { shell(i); for (j = [0 : 4]) ghosts(j); }
    for (i = [0 : 3], j = [1 : 4]) if (i < j) intersection() { ghosts(i); ghosts(j); }
    intersection() { box(); translate([0, 0, tall + 0.01]) lid(); }
}

// For the tests: [plate or wall, its size, its holes].
echo(plates = [["lid", size, lid_holes], ["side-wall", [size[1], tall], shifted(wall_holes, -tall / 2)]]);

if (part == "box") box();
else if (part == "lid") lid();
else if (part == "clash") clash();
else if (part == "assembly") assembly();
else assert(false, str("No part of the two-display clock is called ", part));
